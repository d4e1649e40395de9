import { LineFile } from '@kubeadmit/files';
import { type Logger, pino } from 'pino';

/** Writes one JSON object a line. */
export type Log = Logger;

/** The output for the complete lines of a log. */
export type LogOutput = Pick<LineFile, 'write'>;

/** Returns standard output as a log output. */
export function standardOutput(): LineFile {
  return new LineFile(1, 'the log');
}

/** Makes the log of the program. */
export function createLog(output: LogOutput): Log {
  return pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    output,
  );
}
