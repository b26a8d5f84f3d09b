/** The page of what the package exports to TypeScript. */
import { type Declared, entryPoints, exportsOf, reachedFrom } from './public-exports';
import { fieldTitles } from './fields';
import { anchorOf, GENERATED } from './table';

/** Longest signature of a type that is shown. */
const SHOWN_CHARACTERS = 400;

/** `AcceptPayload` is described as the command `accept`. */
function fieldsLink(name: string, titles: readonly string[]): string | undefined {
  const command = /^(\w+)Payload$/.exec(name)?.[1]?.toLowerCase();
  const title = titles.find((each) => each === name || each === `Command ${command}`);
  return title && `[All fields](fields.md#${anchorOf(title)}).`;
}

const inCode = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** The parts of a declaration that the page shows. */
function shownParts({ name, kind, signature, members }: Declared, titles: readonly string[]) {
  const link = kind === 'type' || kind === 'interface' ? fieldsLink(name, titles) : undefined;
  const isShown =
    !link && signature.length <= SHOWN_CHARACTERS && !(kind === 'class' && !signature.includes('extends'));
  return { link, signature: isShown ? [signature] : [], members: link ? [] : members };
}

/** The lines of TypeScript that the page shows of a declaration. */
export function shownLines(declared: Declared): string[] {
  const { signature, members } = shownParts(declared, fieldTitles());
  return [...signature, ...members.map((each) => each.signature)];
}

function entryText(declared: Declared, titles: readonly string[]): string {
  const { name, doc } = declared;
  const { link, signature, members } = shownParts(declared, titles);
  const lines = members.map((each) => `- ${inCode(each.signature)}${each.doc && `: ${each.doc}`}`);
  return [`### ${name}`, ...signature.map(inCode), [doc, link].filter(Boolean).join(' '), lines.join('\n')]
    .filter(Boolean)
    .join('\n\n');
}

const KINDS = { class: 'Classes', function: 'Functions', value: 'Values', interface: 'Interfaces', type: 'Types' };

/** All exports of the package, each once, and the types that they name and that are not exported. */
export function documentedTypes(): { exported: Declared[]; reached: Declared[] } {
  const all = entryPoints().flatMap(({ file }) => exportsOf(file));
  const exported = [...new Map(all.toReversed().map((one) => [one.name, one])).values()];
  return { exported, reached: reachedFrom(exported, shownLines) };
}

/** What `import … from` each entry point gives. */
export function typescriptPage(): string {
  const titles = fieldTitles();
  const told = new Set<string>();
  const sections = entryPoints().map(({ name, file }) => {
    const all = exportsOf(file);
    const fresh = all.filter((one) => !told.has(one.name));
    const known = all.filter((one) => told.has(one.name)).map((one) => inCode(one.name));
    for (const one of fresh) told.add(one.name);
    const again = known.length > 0 ? [`Also exported here, and described above: ${known.join(', ')}.`] : [];
    const groups = Object.entries(KINDS).flatMap(([kind, heading]) => {
      const group = fresh.filter((one) => one.kind === kind);
      return group.length > 0 ? [`**${heading}**`, ...group.map((one) => entryText(one, titles))] : [];
    });
    return [`## ${name}`, ...again, ...groups].join('\n\n');
  });
  return `# TypeScript

What the package exports, for each entry point. ${GENERATED}

Shapes that go over the wire are described on the page of [fields](fields.md).

${sections.join('\n\n')}

## Types that signatures name

The package does not export these. TypeScript finds them by the functions that take or return them, as in
\`Parameters<ReflectionClient['result']>[0]\`.

${documentedTypes()
  .reached.map((one) => entryText(one, titles))
  .join('\n\n')}
`;
}
