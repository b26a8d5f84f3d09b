'use strict';
const { CodeFailure, givenResult, variablesOf, printLimit } = require('./failure.cjs');

/** Lua 5.4 without files, processes, packages and debug. Values travel as text, so that no host object is ever inside. */
const RESERVED = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

/** Takes away what reaches out, and gives what a text of JSON needs: `null`, `object` and `array`. */
const PRELUDE = String.raw`
local count = ...
io, os = nil, { time = os.time, date = os.date, clock = os.clock, difftime = os.difftime }
package, require, dofile, loadfile, debug, collectgarbage = nil, nil, nil, nil, nil, nil
local load_text, set_meta, get_meta, text_of = load, setmetatable, getmetatable, tostring
local kind, each, raw, floor, format, sub, concat = type, next, rawlen, math.floor, string.format, string.gsub, table.concat
local rawequal, math_type, huge, fail, try, try_safe, pick = rawequal, math.type, math.huge, error, xpcall, pcall, select
local utf8_length, part = utf8.len, string.sub
-- Bytes that are no UTF-8, such as a character that was cut, become the character that stands for those.
local function clean(text)
  local length, bad = utf8_length(text)
  if length then return text end
  local parts, from = {}, 1
  while bad do
    parts[#parts + 1] = part(text, from, bad - 1)
    parts[#parts + 1] = '\xEF\xBF\xBD'
    from = bad + 1
    if from > #text then break end
    length, bad = utf8_length(text, from)
  end
  parts[#parts + 1] = part(text, from)
  return concat(parts)
end
load = function(text, name, _, env) return load_text(text, name, 't', env or _G) end
print = function(...)
  for i = 1, pick('#', ...) do count(#text_of((pick(i, ...)))) end
end
local OBJECT, ARRAY = { __name = 'object' }, { __name = 'array' }
null = set_meta({}, { __tostring = function() return 'null' end, __name = 'null' })
local NULL = null
function object(value) return set_meta(value or {}, OBJECT) end
function array(value) return set_meta(value or {}, ARRAY) end
-- What the text of the inputs calls: keys of a state may have these names, too.
local GIVEN = { null = null, object = object, array = array, _G = _G }
local escapes = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t' }
local function quoted(text)
  return '"' .. sub(clean(text), '[%c"\\]', function(c) return escapes[c] or format('\\u%04x', c:byte()) end) .. '"'
end
local function encode(value, depth)
  if depth > 100 then fail('result is nested too deeply, or contains itself', 0) end
  local what = kind(value)
  if value == nil or value == NULL then return 'null' end
  if what == 'boolean' then return text_of(value) end
  if what == 'string' then return quoted(value) end
  if what == 'number' then
    if value ~= value or value == huge or value == -huge then fail('result holds a number that JSON has not: ' .. text_of(value), 0) end
    if math_type(value) == 'integer' then return format('%d', value) end
    if value == floor(value) and value > -1e15 and value < 1e15 then return format('%d', floor(value)) end
    return format('%.17g', value)
  end
  if what ~= 'table' then fail('result holds a ' .. what .. ', which JSON has not', 0) end
  local meta, size, items = get_meta(value), 0, {}
  for _ in each, value do size = size + 1 end
  if meta ~= OBJECT and (meta == ARRAY or size == raw(value)) then
    for i = 1, raw(value) do items[i] = encode(value[i], depth + 1) end
    return '[' .. concat(items, ',') .. ']'
  end
  for key, item in each, value do
    if kind(key) ~= 'string' then key = text_of(key) end
    items[#items + 1] = quoted(key) .. ':' .. encode(item, depth + 1)
  end
  return '{' .. concat(items, ',') .. '}'
end
return function(code, inputs)
  if inputs == nil then
    local read, trouble = load_text(code, '=code', 't')
    if read then return 'N', '' end
    return 'S', clean(trouble)
  end
  local prepare, trouble = load_text(inputs, '=inputs', 't', GIVEN)
  if not prepare then return 'E', clean(trouble) end
  prepare()
  -- A key of the state of that name is there, and is no result.
  local given = result
  -- A local variable named result counts, too; a text that ends with return cannot be followed by another.
  local chunk
  if given == nil then chunk = load_text(code .. '\nreturn result', '=code', 't') end
  if not chunk then chunk, trouble = load_text(code, '=code', 't') end
  if not chunk then return 'S', clean(trouble) end
  local done, value, second = try(chunk, function(e)
    return kind(e) == 'table' and e.message ~= nil and text_of(e.message) or text_of(e)
  end)
  if not done then return 'E', clean(text_of(value)) end
  if value == nil and not (given ~= nil and rawequal(result, given)) then value = result end
  if value == nil then return 'N', '' end
  if second ~= nil then value = { value, second } end
  local encoded, json = try_safe(encode, value, 0)
  return encoded and 'J' or 'E', json
end
`;

async function load() {
  const { LuaFactory } = require('wasmoon');
  const lua = await new LuaFactory().createEngine({
    injectObjects: false,
    enableProxy: false,
    openStandardLibs: true,
    traceAllocations: true,
  });
  const count = printLimit();
  lua.global.set('__count', (characters) => count(characters));
  lua.global.set('__prelude', PRELUDE);
  lua.doStringSync(
    'local prelude, count = __prelude, __count\n__prelude, __count = nil, nil\n__run = load(prelude)(count)',
  );
  return { run: (job) => run(lua, job), check: (code) => check(lua, code) };
}

function run(lua, { code, inputs, memoryBytes }) {
  lua.global.setMemoryMax(memoryBytes);
  const held = givenResult({ code, inputs });
  const all = { ...variablesOf(inputs), ...(held && { result: held.value }) };
  const variables = Object.entries(all).filter(([name]) => !RESERVED.has(name));
  lua.global.set('__code', code);
  const long = [];
  const given = variables.map(([name, value]) => `_G[${quote(name)}] = ${literal(value, long)}`);
  long.forEach((each, at) => lua.global.set(`__long${at}`, each));
  const taken = long.map((_, at) => `long[${at}], _G.__long${at} = _G.__long${at}, nil`);
  lua.global.set('__inputs', ['local long = {}', ...taken, ...given].join('\n'));
  const [kind, value] = lua.doStringSync(
    'local run, code, inputs = __run, __code, __inputs\n__run, __code, __inputs = nil, nil, nil\nreturn { run(code, inputs) }',
  );
  return answerOf([kind, value]);
}

/** Compiles code. */
function check(lua, code) {
  lua.global.set('__code', code);
  answerOf(lua.doStringSync('return { __run(__code) }'));
}

function answerOf([kind, value]) {
  if (kind === 'J') return value;
  if (kind === 'N') return undefined;
  const [, line, message] = /^code:(\d+): ([^]*)$/.exec(value) ?? [undefined, undefined, value];
  throw new CodeFailure(kind === 'S' ? 'SyntaxError' : 'Error', message, line === undefined ? undefined : Number(line));
}

/**
 * Writes a JSON value as Lua would. Null in an object is left out: a key without a value is nil.
 *
 * @param long gets the texts that are passed separately
 */
function literal(value, long) {
  if (value === null) return 'null';
  if (typeof value === 'string') return text(value, long);
  if (Array.isArray(value)) return `array({${value.map((item) => literal(item, long)).join(',')}})`;
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return `object({${entries.map(([key, item]) => `[${quote(key)}]=${literal(item, long)}`).join(',')}})`;
}

/** The characters that a text of Lua must escape. */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /["\\\x00-\x1f\x7f]/g;

/** Reading a text as Lua takes much longer than taking it as it is. */
const LONG = 1_000;

function text(value, long) {
  // Half of a character becomes the replacement character.
  const whole = Buffer.from(value, 'utf8').toString('utf8');
  // As it is, a text would end at a zero.
  if (whole.length > LONG && !whole.includes('\0')) return `long[${long.push(whole) - 1}]`;
  return quote(whole);
}

function quote(value) {
  const whole = Buffer.from(value, 'utf8').toString('utf8');
  return `"${whole.replaceAll(SPECIAL, (character) => `\\${String(character.charCodeAt(0)).padStart(3, '0')}`)}"`;
}

module.exports = { load };
