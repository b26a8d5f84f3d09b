import { z } from 'zod';
import { omitUndefined } from '../../base/defined';
import type { ModelConfig } from '../types';
import type { CustomModel } from './custom-model';
import { mistakesOf } from './mistakes';

/** A model as the worker calls it: over HTTP by its configuration, or by code of the worker's owner. */
export interface ServedModel extends ModelConfig {
  custom?: CustomModel;
}

const price = z.number().min(0);
const aFunction = z.custom((value) => typeof value === 'function', 'expected a function').optional();

const CUSTOM_MODEL = z.object({
  name: z.string().min(1),
  model: z.string().min(1).optional(),
  provider: z.string().min(1).optional(),
  prices: z
    .object({ inputPerMillion: price, outputPerMillion: price, cachedInputPerMillion: price.optional() })
    .optional(),
  structuredOutput: z.boolean().optional(),
  images: z.boolean().optional(),
  files: z.boolean().optional(),
  call: aFunction,
  embed: aFunction,
});

/** Validates and converts a custom model. Throws TypeError with all of its mistakes. */
export function servedModel(given: ModelConfig | CustomModel): ServedModel {
  if (!('call' in given || 'embed' in given)) return given;
  const mistakes = mistakesOf(CUSTOM_MODEL, given);
  const which = `the model ${JSON.stringify(given.name) ?? 'without a name'}`;
  if (mistakes.length > 0) throw new TypeError(`${which}: ${mistakes.join('; ')}`);
  if (!given.call && !given.embed) throw new TypeError(`${which} has neither \`call\` nor \`embed\``);
  const { name, model = name, prices, structuredOutput, images, files } = given;
  return omitUndefined({ name, model, prices, structuredOutput, images, files, custom: given });
}

/** Returns why a model cannot be used for something; undefined when it can. Any configured endpoint may have both. */
export function inability({ name, custom }: ServedModel, use: 'call' | 'embed'): string | undefined {
  if (!custom || custom[use]) return undefined;
  return use === 'call' ? `model "${name}" only makes embeddings` : `model "${name}" makes no embeddings`;
}
