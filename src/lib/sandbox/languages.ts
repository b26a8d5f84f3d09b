/** Languages of inline code. */
export const STEP_LANGUAGES = ['python', 'lua', 'prolog', 'javascript'] as const;

/** A language of inline code. */
export type StepLanguage = (typeof STEP_LANGUAGES)[number];
