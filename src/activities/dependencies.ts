import type { Receiver } from './notify';
import type { AttachmentReference } from '../lib/contract/attachments';
import type { Sandbox } from '../actions/inline-code';
import type { ActionRegistry, AttachmentReader } from '../actions/types';
import type { AgentMemory } from './memory/agent-memory';
import type { AllowList } from '../lib/base/allow-list';
import type { Heartbeats } from '../lib/limits/recovery';
import type { ExternalCalls } from '../lib/external';
import type { Memory } from '../lib/memory';
import type { Models } from '../lib/models/types';
import type { LargeResults } from './execution/store-result';
import type { LookedUp } from './prepare/looked-up';
import type { PromptStorage } from './prompts/prompt-keeper';
import type { SchemaFolder } from '../evaluators/schema/references/schema-file';
import type { MovedPart } from '../loop/spec/short-form';

export interface ActivityDependencies {
  models: Models;
  /** Called with the name of each model that is about to judge; undefined: the default. */
  noteJudge?: (model: string | undefined) => void;
  actions: ActionRegistry;
  searchAttributes(): Promise<boolean>;
  notify?: Receiver;
  /** When the run list changes. Default: at the start, when a run waits, and at its end. */
  runList?: 'each_version';
  /** The maximum size of an output in bytes. Default: what fits into a history. */
  maximumOutputBytes?: number;
  /** Bytes from which values are stored outside of the history. Default: 64 KiB, if values are stored outside at all. */
  storedFromBytes?: number;
  /** The storage of large results. Undefined: results are part of the history, or are left to the SDK to store. */
  largeResults?: LargeResults;
  prompts?: PromptStorage;
  /** The heartbeats of the worker's recovery profile. Default: those of `standard`. */
  heartbeats?: () => Heartbeats;
  /** The external calls that are allowed. Default: no commands, and public addresses only. False: no external calls at all. */
  external?: ExternalCalls | false;
  attachments?: StoredAttachments;
  /** The sandbox of inline code. Undefined: inline code is refused. */
  sandbox?: Sandbox;
  schemaFolder?: SchemaFolder;
  insights?: Memory;
  /** Why the worker has no memory, if it was not switched off. */
  memoryProblem?: string;
  /** Agents whose memories runs may use. Default: all. */
  allowedAgents?: AllowList;
  /** Workflows that steps and evaluators may call. Default: all, but none in plans that a planner made. */
  allowedWorkflows?: AllowList;
  /** The memory of agents. Undefined: insights of agents live in their runs. */
  memory?: AgentMemory;
}

export interface StoredAttachments extends AttachmentReader {
  /** The others are noted as needed now, so that no sweep deletes them. */
  findMissing(references: readonly AttachmentReference[]): Promise<AttachmentReference[]>;
}

export interface PrepareDependencies extends ActivityDependencies {
  lookedUp?: LookedUp;
  /** Why inline code could not be read before the run; undefined: it was read. */
  unreadCode?: string;
  /** Names of actions that are functions of the workflow that runs the loop. */
  functions?: readonly string[];
  /** The parts of what is checked that its author wrote elsewhere. Default: none. */
  moved?: readonly MovedPart[];
}
