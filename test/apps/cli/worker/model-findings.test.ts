import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  fileModelCallFindings,
  modelCallFindings,
  modelFindings,
} from '../../../../src/apps/cli/worker/model-findings';
import { allMetrics, coreMetricsAddress } from '../../../../src/apps/cli/worker/worker';
import { parseModelsFile } from '../../../../src/worker/models-file/read-models-file';
import { freePort } from '../../../../src/apps/server/ports';
import { requestsOf } from '../../../../src/apps/testing/scripted-model/ledger';
import { ScriptedOpenAI, type ScriptedServerOptions } from '../../../../src/apps/testing/scripted-model/server';
import { WorkerMetrics } from '../../../../src/worker';

const before = { ...process.env };
afterEach(() => {
  for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'OPENAI_MODEL']) delete process.env[name];
  Object.assign(process.env, before);
});

/** Answers every request alike, and says what it was asked. */
async function answering<T>(
  status: number,
  body: string,
  use: (url: string, asked: string[]) => Promise<T>,
): Promise<T> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(status).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('what the doctor says of models', () => {
  test.each<[key: string, baseUrl: string, isDoubtful: true | undefined, says: RegExp]>([
    ['', '', true, /^OPENAI_API_KEY is not set here$/],
    ['sk-secret', '', undefined, /^OPENAI_API_KEY is set$/],
    ['', 'http://127.0.0.1:9/v1', undefined, /not set; an endpoint of your own rarely wants one$/],
  ])('a key %j for the address %j', (key, baseUrl, isDoubtful, says) => {
    Object.assign(process.env, { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl });
    const [where, finding] = modelFindings();
    expect(where).toMatchObject({ well: true, text: expect.stringContaining(baseUrl || 'https://') });
    expect(where!.text.includes('(OPENAI_BASE_URL)')).toBe(baseUrl !== '');
    // A worker elsewhere may have the key: no error, whatever this process has.
    expect(finding).toMatchObject({ well: true, text: expect.stringMatching(says) });
    expect(finding!.isDoubtful).toBe(isDoubtful);
    expect(JSON.stringify([where, finding])).not.toContain('sk-secret');
  });

  test.each<[status: number, well: boolean, advice: string | undefined]>([
    [200, true, undefined],
    [401, false, 'Check OPENAI_API_KEY.'],
    [403, false, 'Check OPENAI_API_KEY.'],
    [404, false, 'Check OPENAI_BASE_URL; it usually ends in /v1.'],
  ])('an endpoint that answers %d', async (status, well, advice) => {
    await answering(status, '{}', async (url, asked) => {
      Object.assign(process.env, { OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: `${url}/v1/` });
      const [finding, ...others] = await modelCallFindings();
      expect({ well: finding!.well, advice: finding!.advice }).toEqual({ well, advice });
      expect(finding!.text).toMatch(well ? /answers and takes the key/ : new RegExp(`answers ${status} to a request`));
      expect(asked[0]).toBe('/v1/models Bearer sk-key');
      // What gives no list of models and no reply is no model.
      const failed = { well: false, text: expect.stringMatching(/^A call of gpt-4o-mini fails as Model\./) };
      expect(others).toEqual(well ? [{ well: true, text: 'It lists no models' }, expect.objectContaining(failed)] : []);
      expect(asked.slice(1)).toEqual(well ? ['/v1/chat/completions Bearer sk-key'] : []);
    });
  });

  test('an endpoint that refers to another address, which does not get the key', async () => {
    await answering(200, '{}', async (elsewhere, asked) => {
      const server = createServer((_, response) => {
        response.writeHead(308, { location: `${elsewhere}/v1/models` }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      Object.assign(process.env, { OPENAI_API_KEY: 'sk-key', OPENAI_BASE_URL: url });
      const text = expect.stringContaining(`answered 308 and refers to ${elsewhere}/v1/models. Redirects`) as string;
      expect(await modelCallFindings()).toEqual([{ well: false, text, advice: 'Check OPENAI_BASE_URL.' }]);
      expect(asked).toEqual([]);
      server.closeAllConnections();
      server.close();
    });
  });

  test('an endpoint where nobody answers', async () => {
    process.env['OPENAI_BASE_URL'] = await answering(200, '', async (url) => url);
    expect(await modelCallFindings()).toEqual([
      expect.objectContaining({ well: false, text: expect.stringMatching(/does not answer \(ECONNREFUSED\)/) }),
    ]);
  });

  test.each<[string, ScriptedServerOptions, (string | RegExp)[]]>([
    [
      'has structured output',
      { script: [{ reply: { ok: true } }], models: ['small', 'large'] },
      ['It lists 2 models (small, large); small is among them', /small: a reply of a schema came as it was asked for/],
    ],
    [
      'has none, and does not count tokens',
      { script: [{ reply: 'Sure.' }], habits: { refuses: { response_format: 400 }, usage: 'none' } },
      [
        'It lists 1 model (scripted); small is not among them',
        /small: the reply did not have the form of its schema/,
        /small: the endpoint does not count tokens/,
        /small: the endpoint takes no response_format/,
      ],
    ],
    [
      'does not know the model',
      { script: [{ status: 404, error: { message: 'no such model' } }] },
      ['It lists 1 model (scripted); small is not among them', /A call of small fails as Model.NotFound: 404 no such/],
    ],
  ])('an endpoint that %s', async (_name, options, says) => {
    const server = await ScriptedOpenAI.start(options);
    Object.assign(process.env, { OPENAI_BASE_URL: server.baseUrl, OPENAI_MODEL: 'small' });
    try {
      const [, ...findings] = await modelCallFindings();
      expect(findings.map(({ text }) => text)).toEqual(
        says.map((text) => (typeof text === 'string' ? text : (expect.stringMatching(text) as unknown))),
      );
    } finally {
      await server.close();
    }
  });

  test('each endpoint of a file of models is asked once, with its own key', async () => {
    const reply = { script: [{ reply: { ok: true } }], keepAuthorization: true };
    const [first, second] = [await ScriptedOpenAI.start(reply), await ScriptedOpenAI.start(reply)];
    const nobody = `http://127.0.0.1:${await freePort()}/v1`;
    process.env['SECOND_KEY'] = 'sk-second';
    try {
      const text = `
endpoints:
  first: { base_url: '${first.baseUrl}' }
  second: { base_url: '${second.baseUrl}', api_key_variable: SECOND_KEY }
  gone: { base_url: '${nobody}' }
models:
  writer: { endpoint: first, model: big }
  judge: { endpoint: second, model: scripted }
  spare: { endpoint: first, model: small }
  lost: { endpoint: gone, model: small }
`;
      const findings = await fileModelCallFindings(parseModelsFile(text, 'models.yaml', process.env));
      expect(findings.map((finding) => finding.text)).toEqual([
        `${first.baseUrl} answers and takes the key`,
        'It lists 1 model (scripted); big is not among them',
        'Structured output of big: a reply of a schema came as it was asked for',
        `${second.baseUrl} answers and takes the key`,
        'It lists 1 model (scripted); scripted is among them',
        'Structured output of scripted: a reply of a schema came as it was asked for',
        `${nobody} does not answer (ECONNREFUSED)`,
      ]);
      expect(findings.at(-1)).toMatchObject({ advice: 'Check base_url of the endpoint of "lost" and the network.' });
      expect(requestsOf(second.ledger).map(({ authorization }) => authorization)).toEqual(['Bearer sk-second']);
    } finally {
      delete process.env['SECOND_KEY'];
      await first.close();
      await second.close();
    }
  });
});

describe('a worker’s page of metrics', () => {
  test('has those of the SDK behind our own, and ours alone where the SDK gives none', async () => {
    const metrics = new WorkerMetrics();
    const page = async (address?: string) => {
      const { contentType, text } = await allMetrics(metrics, address?.replace('http://', ''));
      expect(contentType).toBe(metrics.contentType);
      expect(text).toMatch(/^# HELP /);
      return /^temporal_.*/m.exec(text)?.[0];
    };
    expect(await answering(200, 'temporal_up 1\n', page)).toBe('temporal_up 1');
    expect(await answering(500, 'temporal_up 0\n', page)).toBeUndefined();
    expect(await page(await coreMetricsAddress())).toBeUndefined();
    expect(await page()).toBeUndefined();
  });
});
