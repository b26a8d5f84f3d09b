export { agentReflection } from './agent-reflection';
export { planReflection } from './plan-reflection';
export { reflectionCorrect } from './reflection-correct';
export { reflectionEvaluate } from './reflection-evaluate';
export { reflectionLoop } from './reflection-loop';
export { reflectionPipeline } from './reflection-pipeline';
