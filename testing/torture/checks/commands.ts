import type { ReflectionResult, PersonEntry } from '../../../src/loop/contract/results';
import type { CommandRecord, TortureRecord } from '../record';
import { finished } from './chain';
import type { Violation } from './violation';

function idOf(entry: PersonEntry): string {
  return String((entry.payload as { id?: string }).id);
}

function commandViolations(where: string, sent: CommandRecord[], entries: PersonEntry[]): Violation[] {
  const acknowledged = sent.filter(({ answer }) => answer === 'acknowledged');
  const { id } = sent[0]!;
  // One that was refused may be sent again with the same id, and each refusal is noted.
  const applied = entries.filter((entry) => entry.applied);
  if (applied.length > 1) {
    return [{ invariant: 'command-doubled', where, message: `${id} was applied ${applied.length} times` }];
  }
  if (acknowledged.length === 0) return [];
  const entry = applied[0] ?? entries.at(-1);
  if (!entry)
    return [{ invariant: 'command-lost', where, message: `${id} was acknowledged, and the run knows nothing of it` }];
  // An update says itself that it was refused; a signal cannot, and the run notes why.
  const bySignal = acknowledged.some(({ via }) => via === 'signal');
  if (entry.applied || bySignal) return [];
  return [
    { invariant: 'command-lost', where, message: `${id} was acknowledged and refused: ${entry.why ?? 'no reason'}` },
  ];
}

/** The reason of the end is what the first applied command asked for. */
function effectViolations(where: string, { convergenceReason, history }: ReflectionResult): Violation[] {
  const applied = history.people.filter((entry) => entry.applied);
  // Abort overrules an acceptance that has not been carried out.
  const last = applied.find(({ name }) => name === 'abort') ?? applied[0];
  const wanted = last && (last.name === 'abort' ? 'aborted' : 'user_accepted');
  const steered = convergenceReason === 'aborted' || convergenceReason === 'user_accepted';
  if (wanted === undefined && !steered) return [];
  if (wanted === convergenceReason) return [];
  return [
    {
      invariant: 'command-lost',
      where,
      message: `it was told ${last?.name ?? 'nothing'} and ended as ${convergenceReason}`,
    },
  ];
}

/** Every acknowledged command is applied exactly once, nobody's word is invented, and nothing is applied after the end. */
export function checkCommands(record: TortureRecord): Violation[] {
  return finished(record).flatMap(({ chain, end, result }) => {
    const where = chain.workflowId;
    const sent = record.commands.filter((command) => command.workflowId === where);
    const { people } = result.history;
    const ids = [...new Set([...sent.map(({ id }) => id), ...people.map(idOf)])];
    const late = sent.filter(({ answer, sentAt }) => answer === 'acknowledged' && sentAt > end.at);
    const invented = people.filter((entry) => !sent.some(({ id }) => id === idOf(entry)));
    const after = people.filter(({ applied, at }) => applied && Date.parse(at) > end.at);
    return [
      ...ids.flatMap((id) => {
        const own = sent.filter((command) => command.id === id);
        return own.length === 0
          ? []
          : commandViolations(
              where,
              own,
              people.filter((entry) => idOf(entry) === id),
            );
      }),
      ...late.map(({ id }): Violation => ({
        invariant: 'command-late',
        where,
        message: `${id} was acknowledged after the end`,
      })),
      ...after.map((entry): Violation => {
        return { invariant: 'command-late', where, message: `${idOf(entry)} was applied after the end` };
      }),
      ...invented.map((entry): Violation => {
        return { invariant: 'command-doubled', where, message: `${idOf(entry)} was applied, and nobody sent it` };
      }),
      ...effectViolations(where, result),
    ];
  });
}
