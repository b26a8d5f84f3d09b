import { MOST_ATTACHED_BYTES } from '../../lib/base/maxima';
import { sourceProblem } from '../../actions/attachments';
import type { Json } from '../../lib/json/json';
import { jsonPointer } from '../../lib/json/json-pointer';
import type { SpecProblem } from '../../lib/contract/spec-problem';
import {
  isAttachmentReference,
  MOST_INLINE_CHARACTERS,
  referencesIn,
  seeingCorrector,
  seeingEvaluator,
} from '../../loop/spec/attachments';
import { partsOf, partTree } from '../../loop/spec/evaluator-parts';
import { judgeModel } from '../../loop/spec/judges';
import type { Attachment, AttachmentReference } from '../../lib/contract/attachments';
import type { Evaluator } from '../../loop/contract/evaluators';
import type { ReflectionSpec } from '../../loop/contract/spec';
import { isModelCall } from '../../loop/spec/steps';
import { isTemplate } from '../../lib/text/template-reads';
import { dataUrl } from '../../lib/text/attachment-text';
import type { Models } from '../../lib/models/types';
import type { SpecParts } from '../../loop/parse/spec';
import { templateProblemsAsync } from '../../lib/templates';
import type { PrepareDependencies } from '../dependencies';

/** A step or evaluator that sees attachments: its path, its model, and whether it sees the generator's. */
interface Viewer {
  path: string;
  model: string | undefined;
  attachments: readonly Attachment[];
  areInherited: boolean;
}

function viewersOf(spec: SpecParts): Viewer[] {
  const { generator, corrector, judge = {}, model } = spec;
  const viewers: Viewer[] = [];
  const add = (path: string, own: object, seen: object, asked: string | undefined): void => {
    const { attachments = [] } = seen as { attachments?: Attachment[] };
    if (attachments.length === 0) return;
    viewers.push({ path, model: asked, attachments, areInherited: !('attachments' in own) });
  };
  if (generator && isModelCall(generator)) add('/generator', generator, generator, generator.model ?? model);
  const whole = { generator: generator ?? { run: '' }, corrector, judge } as Pick<
    ReflectionSpec,
    'generator' | 'judge'
  >;
  const seeing = corrector && seeingCorrector({ ...whole, corrector });
  if (corrector && seeing && isModelCall(seeing)) {
    const generators = generator && isModelCall(generator) ? generator.model : undefined;
    add('/corrector', corrector, seeing, seeing.model ?? generators ?? model);
  }
  const judges: { path: string; evaluator: Evaluator }[] = [
    ...spec.evaluators,
    ...(judge.second ? [{ path: '/judge/second', evaluator: judge.second }] : []),
  ];
  for (const { path, evaluator } of judges) {
    const parts = new Map(partsOf(partTree(seeingEvaluator(evaluator, whole))).map((part) => [part.path, part]));
    for (const part of parts.values()) {
      const { model: named } = part.evaluator as { model?: string };
      add(`${path}${part.path}`, part.path === '' ? evaluator : {}, part.evaluator, named ?? judgeModel(spec));
    }
  }
  return viewers;
}

function writtenProblem(source: Json): string | undefined {
  if (typeof source === 'string') return isTemplate(source) ? undefined : sourceProblem(source);
  if (!isAttachmentReference(source)) return 'is no reference of `client.attach`';
  if (source.bytes <= MOST_ATTACHED_BYTES) return undefined;
  return `has ${source.bytes} bytes, and the attachments of a call may have ${MOST_ATTACHED_BYTES} together`;
}

async function viewerMistakes(viewer: Viewer, models: Models): Promise<SpecProblem[]> {
  const { path, attachments, areInherited, model } = viewer;
  const problems: SpecProblem[] = [];
  for (const [index, attachment] of attachments.entries()) {
    const kind = 'image' in attachment ? 'image' : 'file';
    const source = 'image' in attachment ? attachment.image : attachment.file;
    const place = `${path}/attachments/${index}`;
    const refusal = models.problem(model) === undefined ? models.refuses(kind, model) : undefined;
    if (refusal !== undefined) {
      const message = `${refusal}, and would see those of the generator: name another \`model\`, or set \`attachments: []\``;
      problems.push(areInherited ? { path, message } : { path: place, message: refusal });
    }
    // The generator's attachments are reported with the generator.
    if (areInherited) continue;
    const [syntax = []] = typeof source === 'string' ? await templateProblemsAsync([source]) : [];
    const written = syntax.length === 0 ? writtenProblem(source as Json) : undefined;
    const messages = written === undefined ? syntax : [written];
    problems.push(...messages.map((message) => ({ path: `${place}/${kind}`, message })));
    const { mediaType } = attachment;
    if (kind === 'image' && mediaType !== undefined && !mediaType.startsWith('image/'))
      problems.push({ path: `${place}/mediaType`, message: 'is that of no picture: attach it as a `file`' });
  }
  return problems.filter(
    (each, index) =>
      problems.findIndex(({ path: at, message }) => at === each.path && message === each.message) === index,
  );
}

function inlineCharacters(value: Json | undefined): number {
  if (typeof value === 'string') return dataUrl(value) ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + inlineCharacters(each), 0);
}

const USE_REFERENCE =
  'store them with `client.attach` or `reflect run --attach`, which needs REFLECT_STORAGE, and pass the reference';

/** Lists the mistake of `data:` URLs that are too large together: the history keeps them with each call that reads them. */
function inlineMistakes(spec: SpecParts, viewers: readonly Viewer[]): SpecProblem[] {
  const own = viewers.filter(({ areInherited }) => !areInherited).flatMap(({ attachments }) => attachments);
  const characters = inlineCharacters(own as unknown as Json);
  const total = inlineCharacters(spec.state) + characters;
  if (total <= MOST_INLINE_CHARACTERS) return [];
  const path = characters > MOST_INLINE_CHARACTERS ? (viewers[0]?.path ?? '') : '/state';
  const message = `the \`data:\` URLs have ${total} characters together, and a spec may have ${MOST_INLINE_CHARACTERS}: ${USE_REFERENCE}`;
  return [{ path, message }];
}

/** Lists references to missing attachments. Existing ones are marked as needed: no sweep deletes them. */
async function referenceMistakes(
  spec: SpecParts,
  viewers: readonly Viewer[],
  { attachments: storage }: PrepareDependencies,
): Promise<SpecProblem[]> {
  const found = [
    ...referencesIn(spec.state, ['state']),
    ...viewers.flatMap(({ path, attachments, areInherited }) =>
      areInherited ? [] : referencesIn(attachments as unknown as Json, [...path.split('/').slice(1), 'attachments']),
    ),
  ];
  const problems: SpecProblem[] = [];
  const right: { path: string; value: AttachmentReference }[] = [];
  for (const { value, path } of found) {
    const problem = writtenProblem(value);
    if (problem !== undefined) problems.push({ path: jsonPointer(path), message: problem });
    else right.push({ path: jsonPointer(path), value: value as unknown as AttachmentReference });
  }
  if (right.length === 0) return problems;
  if (!storage) {
    const message = 'is kept in a storage, and this worker has none: set REFLECT_STORAGE as where it was attached';
    return [...problems, ...right.map(({ path }) => ({ path, message }))];
  }
  const missing = new Set(await storage.findMissing(right.map(({ value }) => value)));
  const message = 'is not in the storage of the worker: it was attached to another one, or a sweep deleted it';
  return [...problems, ...right.filter(({ value }) => missing.has(value)).map(({ path }) => ({ path, message }))];
}

export async function attachmentMistakes(spec: SpecParts, dependencies: PrepareDependencies): Promise<SpecProblem[]> {
  const viewers = viewersOf(spec);
  if (viewers.length === 0) return [];
  const problems: SpecProblem[] = [];
  for (const viewer of viewers) problems.push(...(await viewerMistakes(viewer, dependencies.models)));
  const stored = await referenceMistakes(spec, viewers, dependencies);
  const told = new Set(problems.map(({ path }) => path));
  return [...problems, ...inlineMistakes(spec, viewers), ...stored.filter(({ path }) => !told.has(path))];
}
