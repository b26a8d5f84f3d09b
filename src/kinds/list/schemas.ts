import { z } from 'zod';
import { convertSchema, type JsonSchema } from '../../lib/contract/convert';
import type { PublishedShapes } from '../../lib/contract/published';
import {
  listCommandShapes,
  listFailureShapes,
  listLoopShapes,
  listShortShapes,
} from '../../loop/parse/published-shapes';
import { listAgentShapes } from '../agents/parse/published-shapes';
import { listBatchShapes } from '../batch/parse/published-shapes';
import { listPipelineShapes } from '../pipeline/parse/published-shapes';
import { listPlanShapes } from '../plan/parse/published-shapes';
import { runReport } from '../report/contract';
import { listStandaloneShapes } from '../standalone/parse/published-shapes';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** Lists every shape that goes over the wire, by the name of its JSON Schema. */
export function listPublishedShapes(): PublishedShapes {
  return {
    ...listLoopShapes(),
    ...listStandaloneShapes(),
    ...listPipelineShapes(),
    ...listPlanShapes(),
    ...listAgentShapes(),
    ...listBatchShapes(),
    ...listFailureShapes(),
    ...listCommandShapes(),
    'run-report': ['RunReport', 'What `reflect report --json` prints.', runReport],
    ...listShortShapes(),
  };
}

/**
 * Returns the JSON Schemas (draft 2020-12) of what goes over the wire, by file name. They check the form, as `parseSpec`
 * does; names of actions and models, templates and patterns are checked by the worker.
 */
export function jsonSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(listPublishedShapes()).map(([name, [title, description, schema = z.never(), json]]) => [
      `${name}.json`,
      { $schema: DRAFT, title, description, ...(json ? json() : convertSchema(schema)) },
    ]),
  );
}
