import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileModelFindings, modelLines, modelsOfFile } from '../../../../src/apps/cli/worker/models-of-file';

const FILE = `
endpoints: { here: { base_url: 'http://user.example.com:8080/v1/' }, far: { api_key_variable: FAR_KEY } }
models:
  small: { endpoint: here, model: qwen3 }
  large: { endpoint: far, model: gpt-5, fallback: small }
default: large
`;

describe('models of a file on the command line', () => {
  let folder: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'models-file-'));
    file = join(folder, 'models.yaml');
    writeFileSync(file, FILE);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  afterEach(() => {
    delete process.env['REFLECT_MODELS'];
    delete process.env['FAR_KEY'];
  });

  test('a worker says what it serves, the default first', async () => {
    process.env['REFLECT_MODELS'] = file;
    expect(modelLines((await modelsOfFile())!)).toEqual([
      '  large: gpt-5 at https://api.openai.com/v1 (default, fallback: small)',
      '  small: qwen3 at http://user.example.com:8080/v1',
    ]);
    expect(await modelsOfFile(undefined)).toHaveLength(2);
  });

  test('the doctor finds a key that is missing, and nothing without a file', async () => {
    expect(await fileModelFindings(undefined)).toBeUndefined();
    const [large, small] = (await fileModelFindings(file))!;
    expect(large).toMatchObject({
      isDoubtful: true,
      text: expect.stringContaining('FAR_KEY is not set here') as string,
    });
    expect(large!.advice).toContain('a worker elsewhere');
    expect([large!.well, small!.well, small!.isDoubtful]).toEqual([true, true, undefined]);
    process.env['FAR_KEY'] = 'S3CRET';
    const findings = (await fileModelFindings(file))!;
    expect(findings.map(({ well, isDoubtful }) => [well, isDoubtful])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    expect(JSON.stringify(findings)).not.toContain('S3CRET');
  });

  test('a file with mistakes is a finding with its lines', async () => {
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'models:\n  a: { modle: x }\n');
    const [finding] = (await fileModelFindings(broken))!;
    expect(finding).toMatchObject({ well: false, text: expect.stringMatching(/broken\.yaml[^]*2:/) as string });
    await expect(modelsOfFile(join(folder, 'none.yaml'))).rejects.toMatchObject({ type: 'FileUnreadable' });
  });
});
