import { protocolTextProblem } from '../../lib/names/protocol-text';
import { InvalidConfigError } from '../../loop/errors/errors';

/**
 * Checks what becomes strings of the protocol before it is sent: the server answers ids and names that are not UTF-8 with an
 * error of its transport, and some that it takes could never be run.
 *
 * @param texts by the name of their option
 * @throws InvalidConfigError with the path of each mistake
 */
export function checkProtocolTexts(texts: Readonly<Record<string, string | undefined>>): void {
  const problems = Object.entries(texts).flatMap(([option, text]) => {
    const problem = text === undefined ? undefined : protocolTextProblem(text);
    return problem === undefined ? [] : [{ path: `/${option}`, message: problem }];
  });
  if (problems.length > 0) throw new InvalidConfigError(problems);
}
