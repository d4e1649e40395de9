/** Options that make no sense; ends the program with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
