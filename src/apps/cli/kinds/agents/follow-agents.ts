import pc from 'picocolors';
import type {
  AgentReflection,
  PopulationProgress,
  ReflectionsPage,
} from '../../../../kinds/agents/contract/agent-results';
import { oneLine } from '../../views/printable';
import type { Question, Teller } from '../../follow/follow-parts';

const PAST_SHOWN = 20;

function reflectionLine({ number, year, agentId, kind, method, insight }: AgentReflection): string {
  const who = `${pc.dim(`#${number}`)}  year ${year}  ${pc.bold(oneLine(agentId, 40))}`;
  return `${who}  upon ${kind}, by ${method}: ${oneLine(insight, 200)}`;
}

/** Reports which agents of a population reflect, as it happens. */
export function agentsTeller({ write }: Teller, query: Question): (progress: PopulationProgress) => Promise<void> {
  let told = -1;
  return async ({ counts: { reflections: made } }) => {
    if (told < 0) {
      told = Math.max(0, made - PAST_SHOWN);
      if (told > 0) write([pc.dim(`(${told} earlier)`)]);
    }
    while (told < made) {
      const page = await query<ReflectionsPage>('reflections', { from: told + 1 });
      const last: AgentReflection | undefined = page?.reflections.at(-1);
      // No worker answered, or the missing reflections were made by an earlier run of the chain.
      if (!page || !last) return;
      write(page.reflections.map(reflectionLine));
      told = last.number;
    }
  };
}
