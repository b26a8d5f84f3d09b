/**
 * Writes the report of the API, which `test/repository/api.test.ts` compares.
 *
 *   npm run api:report [-- FOLDER]    default: test/repository/api
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { apiReports } from '../testing/build/api/report';

const folder = process.argv[2] ?? path.join(__dirname, '..', 'test', 'repository', 'api');

const reports = apiReports();
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [file, text] of Object.entries(reports)) writeFileSync(path.join(folder, file), text);
