export { reflectionLoop } from './reflection-loop';
