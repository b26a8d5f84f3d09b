import path from 'node:path';

/** Where a file stands below `src/`, with slashes and without its ending: `workflows/messages`; undefined elsewhere. */
export function placeInSource(file, cwd) {
  const relative = path.relative(path.join(cwd, 'src'), file).split(path.sep).join('/');
  return relative.startsWith('..') || path.isAbsolute(relative) ? undefined : relative.replace(/\.(?:[cm]?[jt]s)$/, '');
}
