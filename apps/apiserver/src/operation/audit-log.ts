import { createWriteStream, openSync, type WriteStream } from 'node:fs';
import type { AuditRecord } from '@kubeadmit/apiserver';
import { formatJson } from '@kubeadmit/go';
import type { AuditLevel } from '../configuration/server-options.ts';
import { UsageError } from '../configuration/usage-error.ts';

/** What only the listener knows of a request. */
export interface AuditedRequest {
  readonly requestUri: string;
  readonly sourceAddress: string;
  readonly userAgent: string;
  readonly receivedAt: number;
  readonly answeredAt: number;
  readonly code: number;
}

/** Kinds whose content is never written, as kube-apiserver's recommended policy has it. */
const secretResources: ReadonlySet<string> = new Set(['secrets', 'configmaps', 'tokenreviews']);

function openToAppend(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--audit-log-path: ${why}`);
  }
}

/** Writes events of the audit log, one JSON object a line. */
export class AuditLog {
  readonly #stream: WriteStream | NodeJS.WriteStream;
  readonly #level: AuditLevel;

  /**
   * Throws a {@link UsageError} for a file that cannot be written.
   *
   * @param path a file, which is appended to, or `-` for standard output
   */
  constructor(path: string, level: AuditLevel) {
    this.#stream =
      path === '-' ? process.stdout : createWriteStream(path, { fd: openToAppend(path) });
    this.#level = level;
  }

  write(record: AuditRecord, request: AuditedRequest): void {
    this.#stream.write(`${formatJson(auditEvent(record, request, this.#level))}\n`);
  }

  close(): Promise<void> {
    if (this.#stream === process.stdout) return Promise.resolve();
    return new Promise((resolve) => {
      this.#stream.end(() => resolve());
    });
  }
}

/** The event of a request that was answered, with the fields in the order in which kube-apiserver writes them. */
function auditEvent(
  record: AuditRecord,
  request: AuditedRequest,
  wanted: AuditLevel,
): Readonly<Record<string, unknown>> {
  const { objectRef, impersonatedUser, requestObject, responseObject, responseStatus } = record;
  const isSecret =
    secretResources.has(objectRef?.['resource'] ?? '') || objectRef?.['subresource'] === 'token';
  const level = isSecret ? 'Metadata' : wanted;
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: record.auditId,
    stage: 'ResponseComplete',
    requestURI: request.requestUri,
    verb: record.verb,
    user: record.user,
    ...(impersonatedUser ? { impersonatedUser } : {}),
    sourceIPs: [request.sourceAddress],
    userAgent: request.userAgent,
    ...(objectRef ? { objectRef } : {}),
    responseStatus: responseStatus
      ? { metadata: {}, ...statusOf(responseStatus), code: request.code }
      : { metadata: {}, code: request.code },
    ...(level !== 'Metadata' && requestObject ? { requestObject } : {}),
    ...(level === 'RequestResponse' && responseObject ? { responseObject } : {}),
    requestReceivedTimestamp: microTime(request.receivedAt),
    stageTimestamp: microTime(request.answeredAt),
    ...(Object.keys(record.annotations).length > 0 ? { annotations: record.annotations } : {}),
  };
}

function statusOf(status: object): object {
  const { status: outcome, message, reason, details } = status as Readonly<Record<string, unknown>>;
  return JSON.parse(JSON.stringify({ status: outcome, message, reason, details })) as object;
}

function microTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}
