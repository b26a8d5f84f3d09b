import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { McpProgram } from '../../src/worker';
import type { McpLedgerEntry } from './server';

const ROOT = join(__dirname, '..', '..');

/** A file for the calls that a server was sent. */
export function newLedger(): string {
  return join(mkdtempSync(join(tmpdir(), 'reflect-mcp-')), 'calls.jsonl');
}

/** The calls that servers were sent, in their order. */
export function ledgerOf(file: string): McpLedgerEntry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as McpLedgerEntry);
}

/** The beginnings of calls. */
export function callsIn(file: string): McpLedgerEntry[] {
  return ledgerOf(file).filter(({ end }) => end === undefined);
}

/** The server of the tests as a program of a worker. */
export function mcpProgram(ledger: string): McpProgram {
  return { command: process.execPath, args: ['--import', 'tsx', 'testing/mcp/main.ts', ledger], cwd: ROOT };
}
