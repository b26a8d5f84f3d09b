import { makeFollow, makeShow, type RunView } from '../../show/run-view';
import { command } from '../../views/printable';
import type { AgentReflectionSpec } from '../../../../kinds/agents/contract/agents';
import { agentsDoing, agentsStanding, reportText } from './agents-view';
import { agentsTeller } from './follow-agents';

/** How the command shows and follows a population. */
export const populationView: RunView<AgentReflectionSpec> = {
  notRun: (file) => [
    `${file} holds a population, which lives until it is told to finish.`,
    `Start it: npx reflect agents start ${file}`,
  ],
  cancelled: '',
  shown: makeShow((client) => client.agents, {
    resultName: 'report',
    endSaysAll: true,
    output: ({ result }) => result && JSON.stringify(result, null, 2),
    noOutput: (status) => [`The population has no report: it is ${status}.`, 'Look at it without --output.'],
    resultText: reportText,
    standing: (progress, { workflowId }) => [
      agentsStanding(progress),
      '',
      `Who reflected: ${command(`npx reflect agents reflections ${workflowId}`)}`,
      `End it: ${command(`npx reflect agents finish ${workflowId}`)}`,
    ],
  }),
  follow: makeFollow((client) => client.agents, {
    teller: agentsTeller,
    doing: agentsDoing,
    usage: ({ tokenUsage }) => tokenUsage,
    isGood: () => true,
    resultText: reportText,
  }),
};
