import { MOST_ATTACHED_BYTES } from '../lib/base/maxima';
import { isAttachmentReference } from '../loop/spec/attachments';
import type { Json } from '../lib/json/json';
import { omitUndefined } from '../lib/base/defined';
import { jsonPointer } from '../lib/json/json-pointer';
import type { Attachment, AttachmentReference } from '../lib/contract/attachments';
import { attachmentText, dataUrl } from '../lib/text/attachment-text';
import type { ChatMessage, ModelAttachment } from '../lib/models/types';
import { renderValueAsync } from '../lib/templates';
import type { StepArguments, StepContext } from './types';

/** The source of an attachment is nothing that a model could be sent. */
export class AttachmentInvalid extends Error {
  override readonly name = 'AttachmentInvalid';
}

/** The storage does not have an attachment, or this worker has no storage. */
export class AttachmentMissing extends Error {
  override readonly name = 'AttachmentMissing';
}

/** The storage does not answer; another attempt may read it. */
export class AttachmentUnavailable extends Error {
  override readonly name = 'AttachmentUnavailable';
}

const LASTING = new Set(['StoredDataMissing', 'StoredDataCorrupt', 'StoredClaimInvalid', 'UnknownEncryptionKey']);

export function sourceProblem(text: string): string | undefined {
  if (/^data:/i.test(text))
    return dataUrl(text) ? undefined : 'is a `data:` URL without a media type, or without base64';
  if (!/^https:\/\//i.test(text)) return 'must be an https URL, a `data:` URL, or a reference of `client.attach`';
  if (!URL.canParse(text)) return 'is no URL';
  const { username, password } = new URL(text);
  return username === '' && password === '' ? undefined : 'is a URL with a user or password';
}

function kindProblem(kind: ModelAttachment['kind'], mediaType: string | undefined): string | undefined {
  if (kind === 'file' || mediaType === undefined || mediaType.startsWith('image/')) return undefined;
  return `is ${mediaType}, which is no picture: attach it as a \`file\``;
}

interface AttachmentFields {
  kind: ModelAttachment['kind'];
  path: string;
  name?: string | undefined;
  mediaType?: string | undefined;
}

function tooLarge(bytes: number): string {
  return `has ${bytes} bytes, and the attachments of a call may have ${MOST_ATTACHED_BYTES} together`;
}

function invalid({ path }: AttachmentFields, problem: string): AttachmentInvalid {
  return new AttachmentInvalid(`${path} ${problem}`);
}

async function readStored(
  said: AttachmentFields,
  reference: AttachmentReference,
  context: AttachmentContext,
): Promise<ModelAttachment> {
  const { kind, path, mediaType = reference.mediaType, name = reference.name } = said;
  const { attachments, signal } = context;
  if (!attachments) {
    const which = attachmentText(reference);
    throw new AttachmentMissing(`${path} is kept in a storage, and this worker has none (REFLECT_STORAGE): ${which}`);
  }
  const data = await attachments.load(reference, signal).catch((error: unknown) => {
    if (signal.aborted) throw error;
    const { type = '', message } = error as { type?: string; message: string };
    // A storage that is away comes back.
    if (!LASTING.has(type)) throw new AttachmentUnavailable(`${path} cannot be read: ${message}`, { cause: error });
    throw new AttachmentMissing(`${path} is not there: ${message}`, { cause: error });
  });
  return omitUndefined({ kind, name, mediaType, data });
}

async function loadSource(
  said: AttachmentFields,
  source: Json,
  context: AttachmentContext,
): Promise<ModelAttachment[]> {
  if (Array.isArray(source)) {
    const each = source.map((one, index) => loadSource({ ...said, path: `${said.path}/${index}` }, one, context));
    return (await Promise.all(each)).flat();
  }
  const { kind, name } = said;
  if (isAttachmentReference(source)) {
    const problem = kindProblem(kind, said.mediaType ?? source.mediaType);
    if (problem) throw invalid(said, problem);
    if (source.bytes > MOST_ATTACHED_BYTES) throw invalid(said, tooLarge(source.bytes));
    return [await readStored(said, source, context)];
  }
  if (typeof source !== 'string' || source === '') {
    throw invalid(said, source === null || source === '' ? 'gives nothing' : 'gives something that is no attachment');
  }
  const problem = sourceProblem(source);
  if (problem) throw invalid(said, problem);
  const inline = dataUrl(source);
  const mediaType = said.mediaType ?? inline?.mediaType;
  const wrongKind = kindProblem(kind, mediaType);
  if (wrongKind) throw invalid(said, wrongKind);
  if (!inline) return [omitUndefined({ kind, name, mediaType, url: source })];
  return [omitUndefined({ kind, name, mediaType: mediaType!, data: Buffer.from(inline.base64, 'base64') })];
}

type AttachmentContext = Pick<StepContext, 'attachments' | 'signal'>;

/** Loads the bytes of a call's pictures and files. Throws AttachmentInvalid, AttachmentMissing. */
export async function loadAttachments(
  given: readonly Attachment[] = [],
  { state }: Pick<StepArguments, 'state'>,
  context: AttachmentContext,
): Promise<ModelAttachment[]> {
  const loaded: ModelAttachment[] = [];
  for (const [index, each] of given.entries()) {
    const kind = 'image' in each ? ('image' as const) : ('file' as const);
    const written = 'image' in each ? each.image : each.file;
    const said = { kind, path: jsonPointer(['attachments', index, kind]), ...('name' in each && { name: each.name }) };
    const { value } = await renderValueAsync(written as Json, { state });
    loaded.push(...(await loadSource({ ...said, mediaType: each.mediaType }, value, context)));
  }
  const bytes = loaded.reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
  if (bytes > MOST_ATTACHED_BYTES) throw new AttachmentInvalid(`/attachments ${tooLarge(bytes)}`);
  return loaded;
}

export function withAttachments(messages: readonly ChatMessage[], attachments: ModelAttachment[]): ChatMessage[] {
  if (attachments.length === 0) return [...messages];
  const at = messages.findLastIndex(({ role }) => role === 'user');
  if (at === -1) return [...messages, { role: 'user', content: '', attachments }];
  return messages.map((message, index) => (index === at ? { ...message, attachments } : message));
}
