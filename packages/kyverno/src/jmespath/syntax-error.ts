/** An expression that cannot be read; the message is go-jmespath's. Never leaves this folder. */
export class JmesPathSyntaxError extends Error {}

/** Stops reading with the prefix that go-jmespath gives its own syntax errors. */
export function syntaxError(message: string): JmesPathSyntaxError {
  return new JmesPathSyntaxError(`SyntaxError: ${message}`);
}
