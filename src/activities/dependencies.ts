import type { AttachmentReference } from '../contract/spec/attachments';
import type { Sandbox } from '../actions/inline-code';
import type { ActionRegistry, AttachmentReader } from '../actions/types';
import type { AgentMemory } from './memory/agent-memory';
import type { AllowList } from '../domain/base/allow-list';
import type { Heartbeats } from '../domain/spec/recovery';
import type { ExternalCalls } from '../external/index';
import type { Memory } from '../memory/index';
import type { Models } from '../models/types';
import type { LargeResults } from './execution/store-result';
import type { LookedUp } from './prepare/looked-up';
import type { SchemaFolder } from '../evaluators/schema/references/schema-file';

/** What activities need of their worker. */
export interface ActivityDependencies {
  models: Models;
  actions: ActionRegistry;
  /** Whether the namespace has the search attributes. */
  searchAttributes(): Promise<boolean>;
  /** When the run list changes; absent: at the start, when a run waits, and at its end. */
  runList?: 'each_version';
  /** Bytes of an output at most. Default: what fits into a history. */
  maximumOutputBytes?: number;
  /** Values of so many bytes or more are stored outside of the history. Absent: those of 64 KiB, where any are. */
  storedFromBytes?: number;
  /** Absent: results stand in the history, or are left to the SDK to store. */
  largeResults?: LargeResults;
  /** By the worker's recovery profile. Absent: those of `standard`. */
  heartbeats?: () => Heartbeats;
  /** Absent: no commands, and public addresses only. False: no external calls at all. */
  external?: ExternalCalls | false;
  /** Pictures and files that runs refer to. Absent: the worker has no storage. */
  attachments?: StoredAttachments;
  /** Absent: inline code is refused. */
  sandbox?: Sandbox;
  /** The folder whose files schemas may refer to; absent: none. */
  schemaFolder?: SchemaFolder;
  /** What plans and loops recall and keep. Absent: the worker has none. */
  insights?: Memory;
  /** Why the worker has no memory, if it was not switched off. */
  memoryProblem?: string;
  /** Agents whose memories runs may use. Absent: all. */
  allowedAgents?: AllowList;
  /** Workflows that steps and evaluators may call. Absent: all, but none in plans that a planner made. */
  allowedWorkflows?: AllowList;
  /** Absent: insights of agents live in their runs. */
  memory?: AgentMemory;
}

/** Where pictures and files are kept outside of histories. */
export interface StoredAttachments extends AttachmentReader {
  /** Those that are not there. The others are noted as needed now, so that no sweep deletes them. */
  missing(references: readonly AttachmentReference[]): Promise<AttachmentReference[]>;
}

/** What checks need of their worker. */
export interface PrepareDependencies extends ActivityDependencies {
  /** Where a check notes the names that it looks up. */
  lookedUp?: LookedUp;
  /** Why inline code could not be read before the run; absent: it was. */
  unreadCode?: string;
}
