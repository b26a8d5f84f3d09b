import { ApplicationFailure } from '@temporalio/common';
import { createLogger, loggerOptionsFrom, type LoggerOptions } from '../../../src/lib/observability/logger';
import { redact } from '../../../src/lib/redact';

const PROMPT = 'the prompt nobody may see';
const ABOUT_RUN = { workflowId: 'w-1', activityType: 'generate', attempt: 2, input: PROMPT };

function logged(options: Partial<LoggerOptions>, use: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  use(createLogger({ level: 'warn', format: 'json', content: false, write: (line) => (text += line), ...options }));
  return text;
}

const vendorFailure = ApplicationFailure.create({ type: 'Model.BadRequest', message: `400: ${PROMPT}` });

describe('redact', () => {
  test.each([
    ['the key sk-abcdef123 was wrong', {}, 'the key [redacted] was wrong'],
    ['sent Bearer abc.def==', {}, 'sent [redacted]'],
    ['cannot reach postgres://me:hush@db/x', {}, 'cannot reach postgres://[redacted]@db/x'],
    ['the canary-value', { MY_API_KEY: 'canary-value' }, 'the [redacted]'],
    ['key abcdefgh= is', { REFLECT_CODEC_KEYS: 'k1:abcdefgh=,k2:ijklmnop=' }, 'key [redacted] is'],
    ['k1:abcdefgh=,k2:ijklmnop=', { REFLECT_CODEC_KEYS: 'k1:abcdefgh=,k2:ijklmnop=' }, '[redacted]'],
    ['in /etc/tls/key.pem', { TEMPORAL_TLS_CLIENT_KEY_PATH: '/etc/tls/key.pem' }, 'in /etc/tls/key.pem'],
    ['written by maintainers', { GIT_AUTHOR_NAME: 'maintainers' }, 'written by maintainers'],
  ])('%s', (text, env, safe) => {
    expect(redact(text, { env })).toBe(safe);
  });

  test('cuts what is long', () => {
    expect(redact('x'.repeat(900))).toHaveLength(501);
  });
});

describe('the logger', () => {
  test('writes JSON lines with the time, the level, and where it comes from', () => {
    const text = logged({}, (logger) => logger.warn('Activity failed', { ...ABOUT_RUN, error: vendorFailure }));
    expect(text.endsWith('\n')).toBe(true);
    expect(JSON.parse(text)).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      level: 'WARN',
      message: 'Activity failed',
      workflowId: 'w-1',
      activityType: 'generate',
      attempt: 2,
      error: { type: 'Model.BadRequest' },
    });
  });

  test('shows what a run is about only when asked', () => {
    const log = (content: boolean) =>
      logged({ content }, (logger) => {
        logger.warn('Activity failed', { ...ABOUT_RUN, error: vendorFailure });
        logger.warn('Activity failed', { ...ABOUT_RUN, error: new SyntaxError(`in "${PROMPT}"`) });
        logger.warn('Failing workflow task', { run_id: 'r', error: `Some(Failure { message: "${PROMPT}" })` });
      });
    expect(log(false)).not.toContain(PROMPT);
    expect(log(true).split(PROMPT).length - 1).toBe(5);
  });

  test('shows what nobody can act without', () => {
    const error = Object.assign(new Error('no part 12ab'), { name: 'StoredDataMissing' });
    expect(logged({}, (logger) => logger.warn('Activation failed', { workflowId: 'w', error }))).toContain(
      'no part 12ab',
    );
    const lost = new Error('connect ECONNREFUSED 127.0.0.1:7233');
    expect(logged({}, (logger) => logger.error('Worker failed', { error: lost }))).toContain('ECONNREFUSED');
  });

  test('shows no key, in a message or a field, and cuts what is long', () => {
    const text = logged({ content: true }, (logger) => {
      logger.warn('with sk-0123456789');
      logger.warn('x', { workflowId: 'sk-0123456789', other: { nested: 'sk-0123456789' } });
      logger.warn('x'.repeat(5_000), { workflowId: 'y'.repeat(5_000), error: new Error('z'.repeat(5_000)) });
    });
    expect(text).not.toContain('0123456789');
    expect(text.length).toBeLessThan(2_000);
  });

  test('pretty lines are one line each, without escape sequences', () => {
    const text = logged({ format: 'pretty' }, (logger) =>
      logger.warn('two\nlines \u001b[2J', { taskQueue: 'q', error: new Error('of\u001b[2Jtrouble') }),
    );
    expect(text.trimEnd().split('\n')).toHaveLength(1);
    expect(text).not.toContain('\u001b');
    expect(text).toMatch(/\[WARN\] two.lines .* taskQueue=q error=/);
  });

  test('keeps to its level', () => {
    const all = (level: LoggerOptions['level']) =>
      logged({ level }, (logger) => {
        logger.debug('d');
        logger.info('i');
        logger.warn('w');
        logger.warn('No workflows registered, …');
        logger.error('e');
      })
        .trimEnd()
        .split('\n').length;
    expect([all('debug'), all('info'), all('warn'), all('error')]).toEqual([4, 3, 2, 1]);
    expect(logged({ level: 'off' }, (logger) => logger.error('e'))).toBe('');
  });

  test('the environment decides, and mistakes are refused', () => {
    expect(loggerOptionsFrom({})).toMatchObject({ level: 'warn', content: false });
    expect(
      loggerOptionsFrom({ REFLECT_LOG: 'debug', REFLECT_LOG_FORMAT: 'pretty', REFLECT_LOG_CONTENT: '1' }),
    ).toMatchObject({ level: 'debug', format: 'pretty', content: true });
    expect(() => loggerOptionsFrom({ REFLECT_LOG: 'loud' })).toThrow(/REFLECT_LOG must be/);
    expect(() => loggerOptionsFrom({ REFLECT_LOG_FORMAT: 'xml' })).toThrow(/REFLECT_LOG_FORMAT must be/);
  });
});
