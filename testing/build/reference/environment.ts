/** The page of environment variables. A test compares the names with those that the code reads. */
import { GENERATED, markdownTable } from './table';

interface Variable {
  names: string[];
  meaning: string;
  default?: string;
}

const GROUPS: Record<string, Variable[]> = {
  Temporal: [
    { names: ['TEMPORAL_ADDRESS'], meaning: 'Address of the server, `host:port`.', default: '`127.0.0.1:7233`' },
    { names: ['TEMPORAL_NAMESPACE'], meaning: 'The namespace.', default: '`default`' },
    { names: ['TEMPORAL_API_KEY'], meaning: 'An API key, which also turns TLS on.' },
    {
      names: ['TEMPORAL_TLS_*', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'],
      meaning: 'TLS and profiles ([reaching Temporal](../operating.md#reaching-temporal)).',
    },
    {
      names: ['TEMPORAL_UI_URL'],
      meaning: 'Address of the Web UI, for the links that `reflect` prints and notifications contain.',
    },
    {
      names: ['TEMPORAL_CLI', 'TEMPORAL_CLI_VERSION'],
      meaning: 'The `temporal` executable that starts the development server, or the version that is downloaded.',
    },
    {
      names: ['REFLECT_TASK_QUEUE'],
      meaning: 'The task queue; model calls use `<queue>-models`.',
      default: '`reflection`',
    },
  ],
  'Models and memory': [
    {
      names: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
      meaning: 'The model endpoint, if the worker has no `models` option.',
      default: "the provider's endpoint, `gpt-4o-mini`",
    },
    {
      names: ['REFLECT_USE_ENV_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
      meaning:
        'With `1`, calls of model endpoints go through the proxy that the other three name ([proxies](../providers.md#model-endpoints-through-a-proxy)).',
      default: "no: by `undici`'s global dispatcher",
    },
    {
      names: ['DATABASE_URL', 'REFLECT_MEMORY_FOLDER'],
      meaning: 'Where insights are stored: PostgreSQL, else a folder ([memory](../memory.md)).',
      default: '`.reflect/memory`',
    },
    {
      names: ['REFLECT_MEMORY_EXPIRES_AFTER'],
      meaning: 'How long insights are recalled: milliseconds, or a text such as `90d`.',
      default: 'for ever',
    },
    { names: ['REFLECT_MEMORY_PER_AGENT'], meaning: 'How many insights an agent keeps.', default: '`10000`' },
    {
      names: ['REFLECT_EMBEDDING_MODEL'],
      meaning: 'A model whose embeddings are used for recall.',
      default: 'none: by words',
    },
  ],
  'What specs may do': [
    {
      names: ['REFLECT_SANDBOX'],
      meaning:
        'Isolation of inline code: `namespaces`, `process` or `trusted` ([levels](../inline-code.md)); `off`: specs with code are refused.',
      default: '`namespaces` on Linux, else `process`; `off` in the image',
    },
    {
      names: ['REFLECT_EXTERNAL_CALLS'],
      meaning:
        'What `external` evaluators may call: `on`, `off`, or hosts such as `judge.example.com,*.example.org` ([switches](../security.md#switches)).',
      default: '`on`; `off` in the image',
    },
    {
      names: ['REFLECT_ALLOW_PRIVATE_ADDRESSES'],
      meaning: '`1`: `external` evaluators and notifications may go to addresses that are not public.',
      default: 'no',
    },
    {
      names: [
        'REFLECT_ALLOWED_ACTIONS',
        'REFLECT_ALLOWED_AGENTS',
        'REFLECT_ALLOWED_MODELS',
        'REFLECT_ALLOWED_WORKFLOWS',
      ],
      meaning:
        'Names that specs may use: actions, agents whose memories are used, models, workflows; `none` is an empty list.',
      default: 'all',
    },
    {
      names: ['REFLECT_MODELS'],
      meaning: 'A file with models and their endpoints ([models.yaml](../models.md#a-file-of-models)).',
      default: 'every name goes to `OPENAI_BASE_URL`',
    },
    {
      names: ['REFLECT_MCP'],
      meaning: 'A file with MCP servers, whose tools specs may name ([tools](../models.md#tools-of-mcp-servers)).',
      default: 'none',
    },
    {
      names: ['REFLECT_SCHEMA_ROOT'],
      meaning: 'A folder with the files that a `$ref` in a schema may name.',
      default: 'none',
    },
    {
      names: ['REFLECT_SCHEMA_ADDRESS'],
      meaning: 'The address of that folder: references to addresses below it are read from the folder, never fetched.',
      default: 'none',
    },
  ],
  Worker: [
    {
      names: ['REFLECT_SERVE'],
      meaning:
        'Which task queues the process polls: `loops` (runs, steps, checks), `models` (model calls) or `both`. Both need a worker.',
      default: '`both`',
    },
    {
      names: ['REFLECT_RECOVERY'],
      meaning:
        'How soon a dead worker is detected, and at what cost: `standard`, `steady` or `fast` ([profiles](../decisions/recovery-profiles.md)).',
      default: '`standard`',
    },
    {
      names: ['REFLECT_DRAIN'],
      meaning: 'Time that calls in flight get to finish when the worker stops.',
      default: '`30s`',
    },
    {
      names: ['REFLECT_DEPLOYMENT', 'REFLECT_BUILD_ID'],
      meaning: 'Make the worker a [versioned](../operating.md#upgrades) worker.',
      default: 'no version',
    },
    {
      names: ['REFLECT_NOTIFY_URL', 'REFLECT_NOTIFY_SECRET'],
      meaning:
        'The receiver of notifications when runs wait for a person, and the secret that signs them ([notifications](../notifications.md)).',
      default: 'none are sent',
    },
    {
      names: ['REFLECT_NOTIFY_INCLUDE'],
      meaning: '`text`: the text under review is sent, too.',
      default: 'only its digest',
    },
    {
      names: ['REFLECT_REVIEW_URL'],
      meaning:
        'Address of the review page of a run, for links in notifications; `{workflowId}` in it is replaced by the id of the run.',
      default: 'no link',
    },
    {
      names: ['REFLECT_HTTP_PORT', 'REFLECT_HTTP_HOST'],
      meaning: 'Port and host for health, readiness and metrics.',
      default: 'not served, `127.0.0.1`',
    },
  ],
  'Payloads (the same for workers and clients)': [
    {
      names: ['REFLECT_STORAGE'],
      meaning:
        'Storage of large payloads: `folder:<path>`, `postgres://…` or `s3://<bucket>` ([storages](../operating.md#storages)).',
      default: 'in the history',
    },
    {
      names: ['REFLECT_STORAGE_THRESHOLD'],
      meaning: 'Size in bytes from which a payload is stored outside; at most `1048576`.',
      default: '`65536`',
    },
    {
      names: ['REFLECT_KEEP_PROMPTS'],
      meaning:
        '`1`: workers keep what each model call was sent and answered in that storage, for `reflect show --prompts` ([prompts](../prompts.md)).',
      default: 'no',
    },
    {
      names: ['REFLECT_CODEC_KEYS'],
      meaning: 'Keys that encrypt payloads: `<id>:<key>,…`.',
      default: 'not encrypted',
    },
  ],
  'Logs and traces': [
    {
      names: ['REFLECT_LOG'],
      meaning: 'Log level: `trace`, `debug`, `info`, `warn`, `error`, `off`.',
      default: '`warn`',
    },
    { names: ['REFLECT_LOG_FORMAT'], meaning: 'Log format: `json` or `pretty`.', default: 'pretty on a terminal' },
    {
      names: ['REFLECT_LOG_CONTENT'],
      meaning: '`1`: the log shows failure messages, which may quote prompts.',
      default: 'no',
    },
    {
      names: ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
      meaning: 'The collector to which traces are sent.',
      default: 'no traces',
    },
    {
      names: ['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER'],
      meaning: '`true`, or `none`: no traces, whatever else is set.',
    },
    {
      names: ['OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER', 'OTEL_BSP_*'],
      meaning: "Name, sampling and batching of traces, as OpenTelemetry's SDK defines them.",
    },
    { names: ['REFLECT_TRACE_CONTENT'], meaning: '`1`: traces contain prompts and replies.', default: 'no' },
    { names: ['DEBUG'], meaning: 'Any value: `reflect` prints the stack of an error.' },
  ],
};

/** Every variable that the page names. */
export function variableNames(): string[] {
  return Object.values(GROUPS).flatMap((group) => group.flatMap(({ names }) => names));
}

export function environmentPage(): string {
  const sections = Object.entries(GROUPS).map(([title, group]) => {
    const rows = group.map(({ names, meaning, default: standard = '' }) => [
      names.map((name) => `\`${name}\``).join(', '),
      standard,
      meaning,
    ]);
    return `## ${title}\n\n${markdownTable(['Variable', 'Default', 'Meaning'], rows)}`;
  });
  return `# Environment variables

Every variable that the client, the worker and the command read. An empty value is the same as no value. Options in
code take precedence. ${GENERATED}

Keys never appear in code or specs. A worker with several providers names the variable of each key (\`apiKeyVariable\`).

${sections.join('\n\n')}
`;
}
