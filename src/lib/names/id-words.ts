/** With this, an id of the command line and its link into the Web UI of a development server take 80 columns. */
const LENGTH = 20;

/** The part of a run's id made from its name: lower case letters, digits and hyphens, or empty. */
export function idWords(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return plain.slice(0, LENGTH).replace(/^-+|-+$/g, '');
}
