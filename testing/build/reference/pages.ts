/** All generated pages of `docs/reference`. */
import { commandLinePage } from './command-line';
import { environmentPage } from './environment';
import { errorsPage } from './errors';
import { fieldsPage } from './fields';
import { messagesPage } from './messages';
import { metricsPage } from './metrics';
import { typescriptPage } from './typescript';

/** The text of each page, by the name of its file. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'fields.md': fieldsPage(),
    'messages.md': messagesPage(),
    'typescript.md': typescriptPage(),
    'command-line.md': commandLinePage(),
    'environment.md': environmentPage(),
    'errors.md': errorsPage(),
    'metrics.md': await metricsPage(),
  };
}
