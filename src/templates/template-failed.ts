/** A template that cannot be parsed, or that fails or exceeds a limit while it is rendered. Trying again never helps. */
export class TemplateFailed extends Error {
  override name = 'TemplateFailed';
}
