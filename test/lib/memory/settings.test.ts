import { memoryFrom } from '../../../src/lib/memory';

describe('what the environment says of memory', () => {
  test.each([
    ['REFLECT_MEMORY_EXPIRES_AFTER', 'soon', /duration such as 90d, and is "soon"/],
    ['REFLECT_MEMORY_EXPIRES_AFTER', '-1d', /duration/],
    ['REFLECT_MEMORY_PER_AGENT', '0', /whole number above 0, and is "0"/],
    ['REFLECT_MEMORY_PER_AGENT', '1e3', /whole number/],
  ])('%s=%s is refused when the memory is made', (name, value, message) => {
    expect(() => memoryFrom({ [name]: value })).toThrow(message);
  });

  test.each([
    ['', ''],
    ['90d', '50'],
  ])('nothing, or what can be read, is fine: %j %j', (expiry, cap) => {
    const env = { REFLECT_MEMORY_EXPIRES_AFTER: expiry, REFLECT_MEMORY_PER_AGENT: cap };
    expect(() => memoryFrom(env)).not.toThrow();
  });
});
