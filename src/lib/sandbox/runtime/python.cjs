'use strict';
const { readFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { CodeFailure, givenResult, variablesOf, printLimit } = require('./failure.cjs');

/** CPython in WebAssembly, with the standard library and nothing of the host. */
const PROGRAM = String.raw`
def _load():
    import ast, json, sys, traceback
    import re, math, datetime, statistics, random, decimal, collections, string, textwrap, itertools, functools

    class Stored(ast.NodeVisitor):
        """Names that code sets at its top level, and whether it returns there."""
        def __init__(self):
            self.names, self.returns = set(), False
        def visit_Return(self, node):
            self.returns = True
            self.generic_visit(node)
        def visit_Name(self, node):
            if isinstance(node.ctx, (ast.Store, ast.Del)):
                self.names.add(node.id)
        def _named(self, node):
            self.names.add(node.name)
            for outside in node.decorator_list + getattr(node, 'bases', []):
                self.visit(outside)
        visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _named
        def visit_Lambda(self, node):
            pass
        def _comprehension(self, node):
            for inner in ast.walk(node):
                if isinstance(inner, ast.NamedExpr):
                    self.names.add(inner.target.id)
        visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension
        def visit_Import(self, node):
            for alias in node.names:
                self.names.add(alias.asname or alias.name.split('.')[0])
        visit_ImportFrom = visit_Import
        def visit_ExceptHandler(self, node):
            if node.name:
                self.names.add(node.name)
            self.generic_visit(node)
        def visit_MatchAs(self, node):
            if node.name:
                self.names.add(node.name)
            self.generic_visit(node)
        visit_MatchStar = visit_MatchAs
        def visit_MatchMapping(self, node):
            if node.rest:
                self.names.add(node.rest)
            self.generic_visit(node)

    def compiled(code):
        tree = ast.parse(code, 'code')
        found = Stored()
        for statement in tree.body:
            found.visit(statement)
        if not found.returns:
            return compile(tree, 'code', 'exec'), found.names
        # What the code sets is global, as it would be without the function that return needs.
        names = sorted(found.names - {'*'})
        body = ([ast.Global(names=names)] if names else []) + tree.body
        wrapped = ast.parse('def __code__(): pass')
        wrapped.body[0].body = body
        return compile(ast.fix_missing_locations(wrapped), 'code', 'exec'), found.names

    def plain(value):
        if isinstance(value, (set, frozenset)):
            return sorted(value, key=str)
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, decimal.Decimal):
            return float(value)
        raise TypeError(f'result holds a {type(value).__name__}, which JSON has not')

    def line_of(error):
        if isinstance(error, SyntaxError) and error.filename == 'code':
            return error.lineno
        lines = [number for frame, number in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == 'code']
        return lines[-1] if lines else None

    def raised_by_code(error):
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__) if not frame.f_code.co_filename.startswith('<frozen importlib')]
        return bool(frames) and frames[-1].f_code.co_filename == 'code'

    def failure(error):
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        if isinstance(error, ModuleNotFoundError) and error.name in ('js', 'pyodide_js') and not raised_by_code(error):
            message = 'this needs an event loop or a host, and there is none: asyncio.run, await and the like cannot be used'
        return json.dumps({'name': type(error).__name__, 'message': message[:4000], 'line': line_of(error)})

    class Text(str):
        """A text of the state, which agents of other engines take for the object that it holds, or for a reply with a content."""
        __slots__ = ()
        def _keys(self):
            try:
                value = loads(self)
            except ValueError:
                value = None
            return value if isinstance(value, dict) else {'content': str(self)}
        def get(self, key, default=None):
            return self._keys().get(key, default)
        def __getitem__(self, key):
            keys = self._keys() if isinstance(key, str) else {}
            return keys[key] if key in keys else str.__getitem__(self, key)

    def readable(values):
        for name, value in values.items():
            if type(value) is str and name not in ('output', 'event'):
                values[name] = Text(value)
        return values

    dumps, loads = json.dumps, json.loads
    modules = {'math': math, 're': re, 'json': json}

    def run(code, inputs, given):
        random.seed()
        scope = {'__name__': '__main__', '__builtins__': __builtins__, **modules}
        # Without any, the code is only read.
        given_values = readable(loads(inputs or '{"state":{}}'))
        readable(given_values['state'])
        scope.update(given_values)
        nothing = object()
        held = nothing
        try:
            program, names = compiled(code)
            if inputs == '':
                return ['N', 'null']
            # A key of the state called as what code sets is there, unless the code sets it.
            if given != '' and 'result' not in names:
                held = scope['result'] = readable({'value': loads(given)})['value']
            exec(program, scope)
            value = scope['__code__']() if '__code__' in scope else None
            if value is None and scope.get('result', nothing) is held:
                return ['N', 'null']
            if value is None:
                value = scope.get('result')
            if value is None:
                return ['N' if 'result' not in scope else 'J', 'null']
            return ['J', dumps(value, default=plain, allow_nan=False)]
        except BaseException as error:
            return ['E', failure(error)]
    return run

_run = _load()
del _load
`;

/** Forgets modules that were imported while loading, which are otherwise still known by name. */
const FORGET = `
import sys
for name in [name for name in sys.modules if name.split('.')[0] in ('js', 'pyodide_js')]:
    del sys.modules[name]
del sys
`;

function settings() {
  const indexURL = join(dirname(require.resolve('pyodide/package.json')), '/');
  return { indexURL, packages: [], env: { HOME: '/' }, stdin: () => null };
}

/** Makes a snapshot. Loading takes seconds; the memory after it can be kept, and loaded in a tenth of the time. */
async function snapshot() {
  const { loadPyodide } = require('pyodide');
  const python = await loadPyodide({ ...settings(), _makeSnapshot: true });
  python.runPython(PROGRAM);
  return python.makeMemorySnapshot();
}

async function load(snapshotFile) {
  const { loadPyodide } = require('pyodide');
  const kept = snapshotFile === undefined ? {} : { _loadSnapshot: readFileSync(snapshotFile) };
  const python = await loadPyodide({ ...settings(), ...kept });
  if (snapshotFile === undefined) python.runPython(PROGRAM);
  const count = printLimit();
  const print = {
    write(buffer) {
      count(buffer.length);
      return buffer.length;
    },
  };
  python.setStdout(print);
  python.setStderr(print);
  // The way to the host's objects. The jail is what holds; this only makes it a longer way.
  for (const name of ['js', 'pyodide_js']) python.unregisterJsModule(name);
  python.runPython(FORGET);
  const execute = python.globals.get('_run');
  python.globals.delete('_run');
  // A first run has the machine code made before the one that counts.
  run(execute, { code: 'result = 1', inputs: { state: {} } });
  return { run: (job) => run(execute, job), check: (code) => answerOf(execute(code, '', '').toJs()) };
}

function run(execute, { code, inputs }) {
  const given = givenResult({ code, inputs }, true);
  const result = given ? JSON.stringify(given.value) : '';
  return answerOf(execute(code, JSON.stringify(variablesOf(inputs)), result).toJs());
}

function answerOf([kind, value]) {
  if (kind === 'J') return value;
  if (kind === 'N') return undefined;
  const { name, message, line } = JSON.parse(value);
  throw new CodeFailure(name, message, line ?? undefined);
}

module.exports = { load, snapshot };
