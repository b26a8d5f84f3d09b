/** Code that reads or changes the state of a loop: what it may do, its file, the code, and the rules that must complain. */
type StateCase = [name: string, file: string, code: string, ...rules: string[]];

const STATE = 'interface LoopState {\n  pending?: { rounds: number };\n}\n';
const RULE = 'state-writers';

/** Writes a function with a line. */
const inFunction = (line: string, parameter = 'state: LoopState'): string =>
  `${STATE}export function noteOwn(${parameter}): void {\n  ${line}\n}\n`;

const ASSIGN = inFunction('state.pending = { rounds: 1 };');

export const stateCases: StateCase[] = [
  ['the state of a loop may not be assigned to', 'loop/moves/assign.ts', ASSIGN, RULE],
  ['but in transitions', 'loop/moves/transitions.ts', ASSIGN],
  ['and in files of the state', 'loop/state/assign.ts', ASSIGN],
  ['the state of another kind of run may', 'workflows/plan/assign.ts', ASSIGN],
  ['nothing may be deleted from it', 'loop/moves/delete.ts', inFunction('delete state.pending;'), RULE],
  [
    'it may not be filled by Object.assign',
    'loop/moves/fill.ts',
    inFunction('Object.assign(state, { pending: { rounds: 1 } });'),
    RULE,
  ],
  ['it may be read', 'loop/moves/read.ts', inFunction('noteOwn({ pending: state.pending! });')],
  [
    'a variable that was read from it is a part of it',
    'loop/moves/variable.ts',
    inFunction('const { pending } = state;\n  if (pending) pending.rounds += 1;'),
    RULE,
  ],
  [
    'nothing in it may be counted',
    'workflows/loop/count.ts',
    inFunction('if (state.pending) state.pending.rounds++;'),
    RULE,
  ],
  [
    'under another name its type tells it',
    'loop/moves/typed.ts',
    inFunction('given.pending = { rounds: 1 };', 'given: LoopState'),
    RULE,
  ],
  [
    'a run has one',
    'workflows/standalone/run.ts',
    inFunction('run.state.pending = { rounds: 1 };', 'run: { state: LoopState }'),
    RULE,
  ],
];

/** Docstrings and names of functions: what may be, the code, and the rules that must complain. */
export const languageCases: [name: string, code: string, ...rules: string[]][] = [
  ['a docstring may begin with a verb', '/** Reads it. */\nexport const own = 1;\n'],
  ['a docstring may not begin with What', '/** What it is. */\nexport const own = 1;\n', 'docstring-opening'],
  ['a comment may', '/* What it is. */\nexport const own = 1; // What it is.\n'],
  ['a noun names what returns something', 'export function own(): number {\n  return 1;\n}\n'],
  ['a participle may not name a function', 'export const told = (): number => 1;\n', 'function-names'],
  ['a participle may name a value', 'export const told = 1;\n'],
  ['a noun may not name what returns nothing', 'export function own(): void {}\n', 'function-names'],
  ['a noun may not name a method that returns nothing', 'export class Box {\n  lid(): void {}\n}\n', 'function-names'],
  [
    'a participle may not name a private method',
    'export class Box {\n  read = (): number => this.#told();\n  #told(): number {\n    return 1;\n  }\n}\n',
    'function-names',
  ],
  ['a verb may', 'export class Box {\n  open(): void {}\n}\n'],
];

/** Code that asks for the type of an evaluator, and whether the rule must complain. */
export const evaluatorTypeCases: [name: string, file: string, code: string, ...rules: string[]][] = [
  ['a type of evaluator may not be compared', 'loop/moves/type-1.ts', ofType("type === 'calls'"), 'evaluator-types'],
  [
    'nor may one be asked for in a list',
    'loop/moves/type-2.ts',
    ofType("['llm', 'criteria'].includes(type)"),
    'evaluator-types',
  ],
  ['evaluators themselves may compare it', 'evaluators/type-3.ts', ofType("type === 'calls'")],
  ['a type of something else may be compared', 'loop/moves/type-4.ts', ofType("type === 'edits'")],
];

function ofType(condition: string): string {
  return `export const own = (type: string): boolean => ${condition};\n`;
}
