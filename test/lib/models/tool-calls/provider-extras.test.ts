import { callExtras, mergePieces, providerFields } from '../../../../src/lib/models/tool-calls/provider-extras';
import { boundedTurns } from '../../../../src/loop/state/turns';
import type { ToolCall } from '../../../../src/lib/models/types';

describe('fields that only a provider understands', () => {
  test('everything that is not read is kept, but for nulls', () => {
    const message = { role: 'assistant', content: 'x', refusal: null, reasoning_content: 'why', audio: null, odd: [1] };
    expect(providerFields(message, 'message')).toEqual({ reasoning_content: 'why', odd: [1] });
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'f', arguments: '{}', thought: 's' },
      extra_content: 1,
    };
    expect(providerFields(call, 'call')).toEqual({ extra_content: 1, function: { thought: 's' } });
    expect(providerFields({ role: 'assistant', content: 'x' }, 'message')).toBeUndefined();
  });

  test('pieces of a stream become what the whole reply has', () => {
    const pieces = [
      { reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I ' }] },
      { reasoning: 'look.', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'look.' }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', id: 'r', index: 1, data: 'c2ln' }] },
    ];
    expect(pieces.reduce<object>((whole, piece) => mergePieces(whole as never, piece as never) as object, {})).toEqual({
      reasoning: 'I look.',
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'I look.' },
        { type: 'reasoning.encrypted', id: 'r', index: 1, data: 'c2ln' },
      ],
    });
  });

  test('a key that would change a prototype is an ordinary key', () => {
    const merged = mergePieces({ a: 1 }, JSON.parse('{"__proto__": {"b": 2}}') as never) as object;
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect('b' in merged).toBe(false);
  });

  test('extras that are too large keep their names, and a short signature', () => {
    const signature = { google: { thought_signature: 'c2ln' } };
    const long = { reasoning_content: 'x'.repeat(200_000), reasoning_details: [{ data: 'y' }] };
    expect(callExtras('m', signature, long)).toEqual({
      by: 'm',
      call: signature,
      turn: { reasoning_content: '[left out: 200000 characters]' },
    });
  });

  test('the extras of old turns are shortened, and no text is cut because of them', () => {
    const call = (id: string): ToolCall => ({
      id,
      name: 'f',
      arguments: '{}',
      extras: { by: 'm', turn: { reasoning_content: 'x'.repeat(100_000) } },
    });
    const turns = ['a', 'b', 'c'].map((id) => ({ role: 'assistant' as const, content: id, toolCalls: [call(id)] }));
    const bounded = boundedTurns(turns);
    expect(bounded.map((turn) => 'content' in turn && turn.content)).toEqual(['a', 'b', 'c']);
    const lengths = bounded.map((turn) => ('toolCalls' in turn ? JSON.stringify(turn.toolCalls[0]!.extras).length : 0));
    expect(lengths[2]).toBeGreaterThan(100_000);
    expect(lengths[0]).toBeLessThan(100);
  });
});
