import { createHash } from 'node:crypto';
import type { JsonObject } from '../../src/lib/json/json';
import { createModels, type ModelsOptions, type WorkerModels } from '../../src/lib/models';
import type { CustomModel } from '../../src/lib/models/own/custom-model';
import type { ModelConfig, ModelPrices } from '../../src/lib/models/types';
import type { ScriptEntry } from '../../src/apps/testing/scripted-model/script';

/** What a model was asked, whatever its protocol. */
export interface Asked {
  messages: { role: string; text: string }[];
  /** Pictures and files of the messages, in their order. */
  attachments?: { kind: string; sha256?: string; url?: string; name?: string }[];
  /** Ids of the calls of tools that were answered before. */
  answered: string[];
  tools: string[];
  schema?: JsonObject;
  maxTokens?: number;
  temperature?: number;
  /** Of embeddings. */
  texts?: string[];
}

export interface KindSettings {
  /** In specs. Default `m`. */
  name?: string;
  prices?: ModelPrices;
  structuredOutput?: boolean;
  options?: ModelsOptions;
}

/** A model that says what its script says. */
export interface StartedKind {
  model: ModelConfig | CustomModel;
  /** What came in so far. */
  asked(): Asked[];
  close(): Promise<void>;
}

/** The same as the only model of a worker. */
export interface OpenKind extends StartedKind {
  models: WorkerModels;
}

/** A way for a worker to call models. Every kind passes the same cases. */
export interface ModelKind {
  name: string;
  /** Whether calls of tools are made in another way, and the reply says so. */
  warnsOfTools?: boolean;
  /** What its package makes of a failure, where that says less than the failure: by the name of the row. */
  tellsLess?: Record<string, string>;
  /** Whether its answers are events. */
  streams?: boolean;
  /** Whether somebody watches its texts while they are written. */
  watched?: boolean;
  /** Rows of failures that it cannot meet, with the reason beside it. */
  leavesOut?: readonly string[];
  start(script: ScriptEntry[], settings?: KindSettings): Promise<StartedKind>;
}

export function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export const KEY_VARIABLE = 'MODEL_KINDS_API_KEY';
export const KEY = 'the-secret-of-all-kinds';

export async function openKind(kind: ModelKind, script: ScriptEntry[], settings: KindSettings = {}): Promise<OpenKind> {
  const started = await kind.start(script, settings);
  const models = createModels([started.model], { [KEY_VARIABLE]: KEY }, settings.options);
  return { ...started, models };
}
