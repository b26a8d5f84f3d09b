import { stripVTControlCharacters } from 'node:util';
import type { CliError } from '../../../../src/apps/cli/support/cli-error';
import { doctor } from '../../../../src/apps/cli/commands/doctor';
import { list } from '../../../../src/apps/cli/commands/list';
import { worker } from '../../../../src/apps/cli/worker/worker';
import { testAddress } from '../../../../testing/support/temporal-server';

const before = { ...process.env };
const setting = (variables: Record<string, string>): void => {
  Object.assign(process.env, { TEMPORAL_ADDRESS: testAddress(), ...variables });
};
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

const listed = () => list({ limit: 1 });
const served = () => worker({});

// The server is there: none of these may blame it, and each names what is to be changed.
test.each<[Record<string, string>, command: () => Promise<number>, says: RegExp]>([
  [{ REFLECT_STORAGE: 'bogus' }, listed, /^InvalidStorageSettings: REFLECT_STORAGE must be folder:<path>, /],
  [{ REFLECT_CODEC_KEYS: 'k1:abc' }, listed, /^InvalidCodecKeys: Encryption key 1 of 1 must be 32 bytes/],
  [{ TEMPORAL_CONFIG_FILE: '/no.toml' }, listed, /^InvalidSetting: .* no file "\/no.toml", which TEMPORAL_CONFIG_FILE/],
  [{ TEMPORAL_PROFILE: 'prod' }, listed, /^InvalidSetting: Profile 'prod' not found.* It comes from TEMPORAL_PROFILE/],
  [{ REFLECT_SANDBOX: 'soft' }, served, /^InvalidSetting: "soft" is no sandbox.* It comes from REFLECT_SANDBOX\.$/],
  [{ REFLECT_EXTERNAL_CALLS: 'http:x' }, served, /^InvalidSetting: REFLECT_EXTERNAL_CALLS: "http:x" is no host/],
  [{ REFLECT_RECOVERY: 'now' }, served, /^InvalidSetting: .* steady, fast It comes from REFLECT_RECOVERY\.$/],
  [{ REFLECT_LOG: 'loud' }, served, /^InvalidSetting: REFLECT_LOG must be one of .* "loud" $/],
  [{ REFLECT_BUILD_ID: 'b1' }, served, /^InvalidSetting: .* needs both REFLECT_DEPLOYMENT/],
])('%j cannot be used', async (variables, command, says) => {
  setting(variables);
  const { type, message, advice } = (await command().catch((error: unknown) => error)) as CliError;
  expect(`${type}: ${message} ${advice ?? ''}`).toMatch(says);
});

test('doctor says what is switched off, and by whom nothing can be had', async () => {
  setting({
    REFLECT_SANDBOX: 'off',
    REFLECT_EXTERNAL_CALLS: 'judge.example.com',
    REFLECT_ALLOWED_AGENTS: 'ours,team-*',
    REFLECT_ALLOWED_MODELS: 'none',
  });
  const lines: string[] = [];
  const spy = jest.spyOn(console, 'log').mockImplementation((text: unknown) => void lines.push(String(text)));
  await doctor({}).finally(() => spy.mockRestore());
  const text = stripVTControlCharacters(lines.join('\n'));
  expect(text).toMatch(/✓ Inline code: off\n✓ External calls: to judge\.example\.com, public addresses only\n/);
  expect(text).toMatch(/✓ Served agents: ours, team-\*\n✓ Served models: none\n/);
});

test('doctor goes on after a setting that cannot be used', async () => {
  setting({ TEMPORAL_PROFILE: 'prod' });
  const lines: string[] = [];
  const spy = jest.spyOn(console, 'log').mockImplementation((text: unknown) => void lines.push(String(text)));
  const code = await doctor({}).finally(() => spy.mockRestore());
  const text = stripVTControlCharacters(lines.join('\n'));
  expect(text).toMatch(/✗ Profile 'prod' not found.*\n +It comes from TEMPORAL_PROFILE/);
  expect(text).toMatch(/Inline code:/);
  expect(code).toBe(1);
});
