import type { Readable, Writable } from 'node:stream';

/**
 * The streams and the environment of a program; tests pass their own. Streams are created on first access, so access
 * them only to read or write.
 */
export interface Terminal {
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The real path of the only folder that may be read, without revisions, URLs, charts and kustomizations; default no
   * limit.
   */
  readonly folder?: string;

  /** Writes all that a command has to say to standard output, without making the stream. */
  print(text: string): void;
}

/** A stream of text that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** The exit codes of every command. */
export const exitCode = {
  success: 0,
  /** A test failed or a policy denied. */
  refused: 1,
  /** Usage, configuration or input that cannot be read. */
  usage: 2,
  /** A policy that kube-apiserver would refuse. */
  invalidPolicy: 3,
  /** A cluster that cannot be reached. */
  unreachable: 4,
} as const;

/** One of {@link exitCode}. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Ends a command with a message for people; anything else that is thrown is a bug of ours. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, code: ExitCode = exitCode.usage) {
    super(message);
    this.name = 'CommandFailure';
    this.exitCode = code;
  }
}

/**
 * Returns the terminal of a command that continues to its verdict after the reader of its output ends, as `head` does:
 * the exit code does not depend on when that happens.
 */
export function withoutReader(terminal: Terminal): Terminal {
  terminal.stdout.on('error', goOn);
  return terminal;
}

/** Returns a terminal for line-by-line answers, which ends when its reader leaves. */
export function withReader(terminal: Terminal): Terminal {
  terminal.stdout.off('error', goOn);
  return terminal;
}

function goOn(): void {}

/** Writes a text and waits while the reader of the stream is behind. */
export async function write(output: Output, text: string): Promise<void> {
  if (output.write(text) || output.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      output.off('drain', done);
      output.off('close', done);
      resolve();
    };
    output.on('drain', done);
    output.on('close', done);
  });
}
