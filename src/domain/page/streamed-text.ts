export type { StreamedRole, StreamedText } from '../../contract/results/streamed-text';
