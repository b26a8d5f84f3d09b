/** The page of what the package exports to TypeScript. */
import { type Declared, entryPoints, exportsOf } from './public-exports';
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

function entryText({ name, kind, doc, signature, members }: Declared, titles: readonly string[]): string {
  const link = kind === 'type' || kind === 'interface' ? fieldsLink(name, titles) : undefined;
  const isShown =
    !link && signature.length <= SHOWN_CHARACTERS && !(kind === 'class' && !signature.includes('extends'));
  const lines = link ? [] : members.map((each) => `- ${inCode(each.signature)}${each.doc && `: ${each.doc}`}`);
  return [
    `### ${name}`,
    ...(isShown ? [inCode(signature)] : []),
    [doc, link].filter(Boolean).join(' '),
    lines.join('\n'),
  ]
    .filter(Boolean)
    .join('\n\n');
}

const KINDS = { class: 'Classes', function: 'Functions', value: 'Values', interface: 'Interfaces', type: 'Types' };

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
`;
}
