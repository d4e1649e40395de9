/** Options that make no sense; the message is for the user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
