import type { AuditRecord } from '@kubeadmit/apiserver';
import { formatJson } from '@kubeadmit/go';
import type { AuditLevel, AuditLogOptions } from '../configuration/server-options.ts';
import { AuditFile } from './audit-file.ts';

/** The details of a request that only the listener knows. */
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

/**
 * Writes the events of the audit log, one JSON object per line.
 *
 * As in kube-apiserver, requests are answered even if their events cannot be written; standard error reports this.
 */
export class AuditLog {
  readonly #file: AuditFile;
  readonly #level: AuditLevel;
  #isClosed = false;

  /** @throws UsageError for a file that cannot be written */
  constructor(options: AuditLogOptions) {
    this.#file = new AuditFile(options);
    this.#level = options.level;
  }

  write(record: AuditRecord, request: AuditedRequest): void {
    // Another file may have the number of a closed one.
    if (this.#isClosed) return;
    this.#file.write(`${formatJson(auditEvent(record, request, this.#level))}\n`);
  }

  close(): void {
    this.#isClosed = true;
    this.#file.close();
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
