import { population } from './agents';
import { batches } from './batches';
import { chains } from './chains';
import { code } from './code';
import { embedded } from './embedded';
import { hooks } from './hooks';
import { loops } from './loops';
import { memories } from './memory';
import { models } from './models';
import { panels } from './panels';
import { people } from './people';
import { plans } from './plans';
import { pipelines } from './pipelines';
import { questions } from './questions';
import { reviews } from './reviews';
import { ruled } from './rules';
import { standalone } from './standalone';
import { strictness } from './strictness';
import { tools } from './tools';

/** Every path that is recorded. A path that is added here fails the replay test until it is. */
export const scenarios = [
  ...loops,
  ...hooks,
  ...models,
  ...people,
  ...reviews,
  ...questions,
  ...panels,
  ...strictness,
  ...tools,
  ...chains,
  ...code,
  ...standalone,
  ...pipelines,
  ...embedded,
  ...population,
  ...memories,
  ...plans,
  ...batches,
  ...ruled,
];
