import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { entryPoints, exportsOf } from '../../testing/build/reference/public-exports';

const PROJECT = path.join(__dirname, '..', '..');
const KEPT = path.join(__dirname, 'api');

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]),
  );
}

describe('the report of the API', () => {
  test('is what the entry points export: a change needs `npm run api:report`, and a line in CHANGELOG', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'api-'));
    try {
      // The compiler's interface is of ES modules, which jest does not load.
      execFileSync(process.execPath, ['--import', 'tsx', 'scripts/api-report.ts', folder], { cwd: PROJECT });
      expect(filesIn(folder)).toEqual(filesIn(KEPT));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);

  test('has every exported name, and names no source file', () => {
    const reports = Object.values(filesIn(KEPT));
    for (const { name, file } of entryPoints()) {
      const report = reports.find((text) => text.startsWith(`${name}\n`)) ?? '';
      const declared = [
        ...report.matchAll(/^(?:(?:class|interface|type|enum|function|const) (\w+)|(\w+): as in )/gm),
      ].map(([, own, other]) => own ?? other);
      expect(new Set(declared)).toEqual(new Set(exportsOf(file).map((each) => each.name)));
    }
    expect(reports.join('')).not.toMatch(/import\(|\bsrc\//);
  });
});
