import { isObject } from '@kubeadmit/apimachinery';
import type { RequestUser } from '@kubeadmit/chain';
import type { OutsideData } from '@kubeadmit/chain/unstable-internal';
import type { OutsideFilesData } from '@kubeadmit/testing/other-tools';
import { boundaryOf } from '../input/local/boundary.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';
import type { InputOptions } from './options.ts';
import { requestUser } from './request-user.ts';
import { testHost } from './test-host.ts';

/**
 * Reads the data for Kyverno's policies of `--values-file`, `--set`, `--context-file` and `--userinfo`; `undefined`
 * without these options.
 *
 * @throws CommandFailure for a file that cannot be read or has another shape.
 */
export async function outsideData(
  options: InputOptions,
  terminal: Terminal,
): Promise<OutsideFilesData | undefined> {
  const { valuesFile, contextFile, userinfo, set } = options;
  const files = [valuesFile, contextFile, userinfo].filter((file) => file !== undefined);
  if (files.length === 0 && set === undefined) return undefined;
  const { readOutsideFiles, TestProblem } = await import('@kubeadmit/testing/other-tools');
  const host = testHost(terminal, boundaryOf(files, options, terminal));
  try {
    return await readOutsideFiles({ valuesFile, contextFile, userinfo, set }, host);
  } catch (error) {
    throw error instanceof TestProblem ? new CommandFailure(error.message) : error;
  }
}

/** Returns the user of requests: that of `--userinfo`, else that of `--as` and the options beside it. */
export function givenUser(options: InputOptions, outside: OutsideData | undefined): RequestUser {
  const info = outside?.user?.userInfo;
  if (!isObject(info)) return requestUser(options);
  const { username = '', groups, uid, extra } = info as Partial<Record<string, unknown>>;
  return { name: String(username), groups, uid, extra } as RequestUser;
}
