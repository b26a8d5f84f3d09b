import { hostname } from 'node:os';
import type { StepLanguage } from '../../../src/lib/sandbox/languages';

/** What an attack aims at, prepared by the test. */
export interface Target {
  /** A file of the host, and what is in it. */
  file: string;
  secret: string;
  /** A file that does not exist yet. */
  mark: string;
  /** Of a server on loopback. */
  port: number;
  /** A process of the host that may be signalled. */
  worker: number;
}

/** The attack that may end the process that makes it. */
export const MUCH_MEMORY = 'take much memory';
/** The attack that succeeds where the jail says that it cannot hide the host name. */
export const HOST_NAME = 'know the name of the machine';

/**
 * Attacks of code that is out of its interpreter, in JavaScript of the Node process around it. Each needs something that an
 * unprotected process has; it answers with a text that starts with ESCAPED when it got it, or throws.
 */
export function capabilityAttacks(target: Target): Record<string, string> {
  const file = JSON.stringify(target.file);
  return {
    'read a host file': `return 'ESCAPED ' + require('fs').readFileSync(${file}, 'utf8')`,
    'list a host folder': `return 'ESCAPED ' + require('fs').readdirSync(require('path').dirname(${file})).join()`,
    'write a host file': `require('fs').writeFileSync(${JSON.stringify(target.mark)}, 'x'); return 'ESCAPED'`,
    'list the environment': `return process.env.REFLECT_TEST_SECRET ? 'ESCAPED ' + process.env.REFLECT_TEST_SECRET : 'empty'`,
    'read /proc of the worker': `return 'ESCAPED ' + require('fs').readFileSync('/proc/${target.worker}/cmdline', 'utf8')`,
    'start a program of the host': `return 'ESCAPED ' + require('child_process').execFileSync('/bin/sh', ['-c', 'echo done'])`,
    'load a native module': `process.dlopen({ exports: {} }, ${JSON.stringify(nativeModule())}); return 'ESCAPED'`,
    'see the worker': `process.kill(${target.worker}, 0); return 'ESCAPED'`,
    'signal the worker': `process.kill(${target.worker}, 'SIGUSR2'); return 'ESCAPED'`,
    'signal the parent': `if (process.ppid === 0) throw new Error('no parent'); process.kill(process.ppid, 'SIGCONT'); return 'ESCAPED'`,
    [HOST_NAME]: `const name = require('os').hostname(); return name === ${JSON.stringify(hostname())} ? 'ESCAPED' : name`,
    'see the network': `return Object.keys(require('os').networkInterfaces()).length > 0 ? 'ESCAPED' : 'none'`,
    [MUCH_MEMORY]: `const kept = []; for (let i = 0; i < 14; i++) kept.push(Buffer.alloc(100e6)); return 'ESCAPED'`,
    'fill the disk': `const fs = require('fs'); for (let i = 0; i < 6; i++) fs.writeFileSync('fill' + i, Buffer.alloc(4e6)); return 'ESCAPED'`,
    'write a large file': `process.on('SIGXFSZ', () => {}); require('fs').writeFileSync('large', Buffer.alloc(20e6)); return 'ESCAPED'`,
  };
}

/** The native module of this package that every platform has: that of the SDK. */
function nativeModule(): string {
  return require.resolve('@swc/core-linux-x64-gnu');
}

/** Attacks that the process does not get over, each with how the sandbox has to end it. */
export const FATAL_ATTACKS: Record<string, string> = {
  spin: 'for (;;) {}',
  'spin inside one native call': "require('crypto').pbkdf2Sync('a', 'b', 2e9, 64, 'sha512')",
  'print without end': "for (;;) require('fs').writeSync(2, 'x'.repeat(65536))",
  'answer without end': "for (;;) require('fs').writeSync(3, 'x'.repeat(65536))",
  'recurse without end': 'const f = () => f() + 1; return f()',
  'hold on to signals': "for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {}); for (;;) {}",
};

/** Attacks on the channel of results: what they write must never come out. */
export const FORGERIES: Record<string, string> = {
  'forge a result': `require('fs').writeSync(3, '{"json":"\\\\"FORGED\\\\""}\\n'); for (;;) {}`,
  'forge with a token of its own': `require('fs').writeSync(3, '0'.repeat(48) + ' {"json":"\\\\"FORGED\\\\""}\\n'); for (;;) {}`,
  'put lines before the result': `require('fs').writeSync(3, 'x\\n'); return 'FORGED'`,
  'put bytes before the result': `require('fs').writeSync(3, 'x'); return 'FORGED'`,
  'replace what answers are written with': `
    const forged = () => '{"json":"\\\\"FORGED\\\\""}';
    JSON.stringify = forged; JSON.parse = forged; Buffer.from = () => Buffer.alloc(3);
    require('fs').writeSync = () => 0; Object.prototype.toJSON = forged; String.prototype.toString = forged;
    return 'real'`,
};

/** What programs of each language try by its own means. Each adds to \`got\` when it got something. */
export const OWN_MEANS: Record<StepLanguage, string> = {
  javascript: `
const got = [];
const attempt = (name, work) => { try { const value = work(); if (value !== undefined && value !== null && value !== false) got.push(name + ' ' + value) } catch {} };
attempt('process', () => process.pid);
attempt('require', () => require('fs'));
attempt('constructor', () => ({}).constructor.constructor('return process')().pid);
attempt('console', () => console.log.constructor('return process')().pid);
attempt('generator', () => (function* () {}).constructor('return process')().next().value.pid);
attempt('globalThis', () => globalThis.process || globalThis.require || globalThis.Buffer || globalThis.fetch);
attempt('import', () => { import('fs').then(() => got.push('import')) });
attempt('std', () => std.open('/etc/passwd', 'r'));
attempt('os', () => os.exec(['id']));
attempt('scriptArgs', () => scriptArgs);
attempt('Worker', () => new Worker('x'));
attempt('WebAssembly', () => WebAssembly.Memory);
attempt('stack', () => { Error.prepareStackTrace = (_, frames) => frames; return new Error().stack[0].getThis().process });
attempt('thrown', () => { try { console.log({ get toString() { throw 1 } }) } catch (e) { return e.constructor.constructor('return process')().pid } });
attempt('env', () => Deno.env);
return got`,
  lua: `
local got = {}
local function attempt(name, work) local done, value = pcall(work); if done and value then got[#got + 1] = name .. ' ' .. tostring(value) end end
attempt('io', function() return io.open('/etc/passwd') end)
attempt('getenv', function() return os.getenv('PATH') end)
attempt('execute', function() return os.execute('id') end)
attempt('remove', function() return os.remove('/tmp/x') end)
attempt('tmpname', function() return os.tmpname() end)
attempt('exit', function() return os.exit end)
attempt('require', function() return require('io') end)
attempt('loadlib', function() return package.loadlib('libc.so.6', 'system') end)
attempt('loaded', function() return package.loaded.io end)
attempt('dofile', function() return dofile('/etc/passwd') end)
attempt('loadfile', function() return loadfile('/etc/passwd') end)
attempt('debug', function() return debug.getregistry() end)
attempt('bytecode', function() return load(string.dump(function() end)) end)
attempt('string', function() return getmetatable('').__index.io end)
attempt('popen', function() return io.popen('id'):read('a') end)
attempt('host', function() return js or jsglobal or window or __run or __count end)
return array(got)`,
  python: `
import sys
got = []
def attempt(name, work):
    try:
        value = work()
        if value:
            got.append(f"{name} {str(value)[:200]}")
    except BaseException:
        pass
def connect():
    import socket
    socket.create_connection(("127.0.0.1", PORT), timeout=1)
    return "connected"
def run():
    import subprocess
    return subprocess.run(["id"], capture_output=True).stdout
def fork():
    import os
    return os.fork() + 1
def js_module():
    import js
    return js.process.pid
def run_js():
    from pyodide.code import run_js
    return run_js("process.mainModule.require('fs').readFileSync('/etc/passwd', 'utf8')")
def run_js_secret():
    from pyodide.code import run_js
    return run_js("process.env.REFLECT_TEST_SECRET || ''")
def constructor():
    from pyodide.ffi import to_js
    return to_js({}).constructor.constructor("return process.mainModule.require('fs').readFileSync('/etc/passwd', 'utf8')")()
attempt("open", lambda: open("/etc/passwd").read())
attempt("host file", lambda: open("FILE").read())
attempt("listdir", lambda: __import__("os").listdir("/work"))
attempt("environ", lambda: __import__("os").environ.get("REFLECT_TEST_SECRET"))
attempt("socket", connect)
attempt("subprocess", run)
attempt("fork", fork)
attempt("exec", lambda: __import__("os").execv("/bin/sh", ["sh"]))
attempt("js", js_module)
attempt("pyodide_js", lambda: __import__("pyodide_js").FS)
attempt("run_js", run_js)
attempt("run_js env", run_js_secret)
attempt("constructor", constructor)
attempt("kill", lambda: __import__("os").kill(WORKER, 12) is None and "signalled")
attempt("multiprocessing", lambda: __import__("multiprocessing").Pool(1))
attempt("urllib", lambda: __import__("urllib.request").request.urlopen("http://127.0.0.1:PORT/").read())
result = got`,
  prolog: `
attempt(Name, Goal) :- catch(call_with_depth_limit(Goal, 100000, _), _, fail), !, assertz(got(Name)).
attempt(_, _).
:- dynamic got/1.
result(Got) :-
  attempt(open, open("/etc/passwd", read, _)),
  attempt(host_file, open("FILE", read, _)),
  attempt(read_file, (read_file_to_string("/etc/passwd", T, []), T \\== "")),
  attempt(directory, exists_directory("/work")),
  attempt(files, (expand_file_name("/etc/*", L), memberchk('/etc/passwd', L))),
  attempt(getenv, getenv('REFLECT_TEST_SECRET', _)),
  attempt(shell, (shell("touch MARK", _), exists_file("MARK"))),
  attempt(process, (use_module(library(process)), process_create(path(id), [], []))),
  attempt(socket, (use_module(library(socket)), tcp_connect('127.0.0.1':PORT, _, []))),
  attempt(foreign, load_foreign_library(foreign(system))),
  attempt(consult, consult('/etc/passwd')),
  attempt(fork, fork(_)),
  attempt(thread, (thread_create(true, Id), thread_join(Id))),
  attempt(js, (X := process, nonvar(X))),
  attempt(js_eval, (Y := eval("process.pid"), integer(Y))),
  attempt(js_function, (F := 'Function'("return process"), nonvar(F))),
  attempt(js_require, (R := require("fs"), nonvar(R))),
  findall(G, got(G), Got).`,
};

/** What ends a program that tries it: it gets no further. */
export const OWN_MEANS_AND_OUT: [language: StepLanguage, name: string, code: string][] = [
  ['python', 'system', 'import os\nresult = "done" if os.system("id") == 0 else "refused"'],
  ['python', 'ctypes', 'import ctypes\nresult = ctypes.CDLL(None).system(b"id")'],
  [
    'python',
    'constructor',
    'from pyodide.ffi import to_js\nresult = to_js([1]).constructor.constructor("return process.pid")()',
  ],
  ['python', 'exit', 'import os\nos._exit(0)'],
  ['prolog', 'halt', 'halt.'],
  ['prolog', 'abort', 'result(X) :- abort.'],
  ['lua', 'error with no text', 'error()'],
  ['javascript', 'throw what throws', 'throw { get message() { throw 1 }, get stack() { throw 2 } }'],
];

/** Programs that use up what they can by the means of the language, each with reasons that may end it. */
export const GREED: Record<StepLanguage, Record<string, string>> = {
  javascript: {
    spin: 'for (;;) {}',
    'spin in one call': '"a".repeat(60).match(/^(a|a?)+$b/)',
    memory: 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
    recursion: 'const f = () => f() + 1; return f()',
    print: 'for (;;) console.log("x".repeat(1000))',
    'large result': 'return "x".repeat(5e6)',
  },
  lua: {
    spin: 'while true do end',
    'spin in one call': 'return string.find(string.rep("a", 300), string.rep("a-", 30) .. "b")',
    memory: 'local t = {} while true do t[#t + 1] = string.rep("x", 1000000) .. #t end',
    recursion: 'local function f() return f() + 1 end return f()',
    print: 'while true do print(string.rep("x", 1000)) end',
    'large result': 'return string.rep("x", 5000000)',
  },
  python: {
    spin: 'while True: pass',
    'spin in one call': 'import re\nre.match(r"^(a|a?)+$", "a" * 60 + "b")',
    memory: 'a = []\nwhile True: a.append(bytearray(10_000_000))',
    recursion: 'def f(): return f() + 1\nf()',
    print: 'while True: print("x" * 1000)',
    'large result': 'result = "x" * 5_000_000',
  },
  prolog: {
    spin: 'repeat, fail.',
    'spin in one call': 'length(L, 40), numlist(1, 40, L), permutation(L, P), P = [40|_], last(P, 1), nth1(2, P, 1).',
    memory: 'grow(L) :- grow([xxxxxxxxxxxxxxxxxxxx|L]).\nresult(X) :- grow(X).',
    recursion: 'f(X) :- f(Y), X is Y + 1.\nresult(X) :- f(X).',
    print: 'result(X) :- repeat, write(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx), fail ; X = 1.',
    'large result': 'numlist(1, 1000000, Result).',
  },
};
