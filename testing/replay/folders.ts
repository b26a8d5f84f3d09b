/**
 * The folders in which releases have their recordings, from a version on. Recordings of a release stay where its tag has them, so
 * whoever moves the folder adds a line, with the version that is being made.
 */
export const RECORDED_IN: readonly { since: string; folder: string }[] = [
  { since: '0.0.0', folder: 'test/replay/histories' },
];
