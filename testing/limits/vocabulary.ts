import type { Json } from '../../src/lib/json/json';
import { NAME_CHARACTERS } from '../../src/lib/base/maxima';
import { isDuration, type SchemaNode } from './schema-node';

/**
 * What has to be there on the worker, or has to be a text of some language: no schema can say what such fields may hold. By the
 * name of the field, and by the nearest field around it that says what it belongs to.
 */
export interface Place {
  /** Keys from the root. */
  keys: readonly string[];
  /** Of the value within its list. */
  index: number;
}

/** Things of this machine that specs name. */
export interface Surroundings {
  judgeUrl: string;
}

/** The queue of workflows that specs call, as long as a name may be: there is no other that a worker serves. */
export const CALLED_QUEUE = 'called'.padEnd(NAME_CHARACTERS, 'x');

const STEPS = new Set(['generator', 'corrector', 'planner', 'step', 'nodes']);

function actionFor(keys: readonly string[]): string {
  if (keys.includes('hooks')) return 'notes';
  const owner = keys.findLast((key) => STEPS.has(key) || /^(evaluator|second|criteria)/.test(key));
  if (owner === undefined || STEPS.has(owner)) return owner === 'planner' ? 'plans' : 'makes';
  return 'judges';
}

/** A value that stands for something on the worker; undefined where any value will do. */
export function knownValue(node: SchemaNode, { keys, index }: Place, { judgeUrl }: Surroundings): Json | undefined {
  if (isDuration(node)) return '5s';
  const key = keys.at(-1);
  const owner = keys.at(-2);
  switch (key) {
    case 'action':
    case 'uses':
      return actionFor(keys);
    case 'model':
    case 'reflectionModel':
      return 'any';
    case 'onGeneration':
    case 'onReflection':
    case 'onRevision':
    case 'onWaiting':
      return 'notes';
    case 'tools':
    case 'reflectOnTools':
      return 'finds';
    case 'run':
      return 'return true';
    case 'language':
      return 'lua';
    case 'url':
      return judgeUrl;
    case 'workflow':
      return 'answers';
    case 'taskQueue':
      return CALLED_QUEUE;
    case 'command':
      return 'judge';
    case 'image':
    case 'file':
      // A model's endpoint would fetch it.
      return 'https://example.com/picture.png';
    case 'mediaType':
      return 'image/png';
    case 'pattern':
      return '^never$';
    case 'flags':
      return 'i';
    case 'schema':
      return { type: 'object', required: ['done'] };
    case 'agent':
      return 'limits';
    case 'prompt':
    case 'goal':
    case 'task':
      return 'Write about the sea.';
    case 'id':
    case 'name':
      return `${owner ?? 'it'} ${index}`;
    case 'agents':
      return undefined;
    case 'dependsOn':
      return `tasks ${index}`;
    case 'from':
    case 'to':
      return `nodes ${index + (key === 'to' ? 1 : 0)}`;
    case 'decisionTypes':
    case 'critics':
    case 'criteria':
      return `${key} ${index}`;
    case 'reference':
      return 'The reference.';
    default:
      return undefined;
  }
}

/** Fields that a form needs besides those that its schema requires. */
export function alsoNeeded(node: SchemaNode): string[] {
  const properties = node.properties ?? {};
  if ('run' in properties && 'language' in properties) return ['language'];
  // A node of a pipeline, and a model call in one.
  if ('uses' in properties && 'action' in properties)
    return properties['uses']?.const === 'llm.call' ? ['uses', 'with'] : ['uses'];
  if ('prompt' in properties && 'messages' in properties) return ['prompt'];
  if ('url' in properties && 'command' in properties) return ['url'];
  if ('workflow' in properties) return ['taskQueue'];
  if ('against' in properties) return ['reference'];
  if (properties['type']?.const === 'criteria') return ['criteria'];
  return [];
}
