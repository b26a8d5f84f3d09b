export { agentReflection } from './agents/agent-reflection';
export { reflectionBatch } from './batch/reflection-batch';
export { reflectionBatchPage } from './batch/reflection-batch-page';
export { planReflection } from './plan/plan-reflection';
export { reflectionCorrect } from './standalone/reflection-correct';
export { reflectionEvaluate } from './standalone/reflection-evaluate';
export { reflectionLoop } from './loop/reflection-loop';
export { reflectionPipeline } from './pipeline/reflection-pipeline';
