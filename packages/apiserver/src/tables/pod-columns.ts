import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { metadataOf } from '../objects/metadata.ts';
import { ageColumn, ageOf, nameColumn, number, spec, status, text, textAt, wide } from './cells.ts';
import { type Column, textColumn } from './columns.ts';

/** The state that the containers of a pod have together (printers/internalversion `printPod`). */
interface PodSummary {
  readonly ready: number;
  readonly restarts: number;
  readonly lastRestart: string;
  readonly reason: string;
}

/** The columns of pods. */
export const podColumns: readonly Column[] = [
  nameColumn,
  textColumn('Ready', (pod) => {
    const sidecars = memberList(spec(pod), 'initContainers').filter(isSidecar);
    const total = memberList(spec(pod), 'containers').length + sidecars.length;
    return `${summaryOf(pod).ready}/${total}`;
  }),
  textColumn('Status', statusText),
  textColumn('Restarts', (pod, now) => {
    const { restarts, lastRestart } = summaryOf(pod);
    const isDated = restarts !== 0 && lastRestart !== '';
    return isDated ? `${restarts} (${ageOf(lastRestart, now)} ago)` : `${restarts}`;
  }),
  ageColumn,
  textColumn(
    'IP',
    (pod) => memberText(memberList(status(pod), 'podIPs')[0], 'ip') || '<none>',
    wide,
  ),
  textAt('Node', 'spec.nodeName', { missing: '<none>', ...wide }),
  textAt('Nominated Node', 'status.nominatedNodeName', { missing: '<none>', ...wide }),
  textColumn('Readiness Gates', readinessText, wide),
];

function statusText(pod: KubernetesObject): string {
  const phase = memberText(status(pod), 'phase');
  const isDeleted = metadataOf(pod).deletionTimestamp !== undefined;
  if (isDeleted && memberText(status(pod), 'reason') === 'NodeLost') return 'Unknown';
  if (isDeleted && phase !== 'Failed' && phase !== 'Succeeded') return 'Terminating';
  return summaryOf(pod).reason;
}

function readinessText(pod: KubernetesObject): string {
  const gates = memberList(spec(pod), 'readinessGates');
  if (gates.length === 0) return '<none>';
  const met = gates.filter((gate) => isTrue(pod, memberText(gate, 'conditionType')));
  return `${met.length}/${gates.length}`;
}

function summaryOf(pod: KubernetesObject): PodSummary {
  const sidecars = memberList(spec(pod), 'initContainers').filter(isSidecar);
  const sidecarNames = new Set(sidecars.map((each) => memberText(each, 'name')));
  const isOfSidecar = (each: unknown): boolean => sidecarNames.has(memberText(each, 'name'));
  const statuses = memberList(status(pod), 'initContainerStatuses');
  const unfinished = statuses.findIndex((each) => !isInitialized(each, isOfSidecar(each)));
  const seen = unfinished < 0 ? statuses : statuses.slice(0, unfinished + 1);
  const started = seen.filter((each) => isOfSidecar(each) && isRunningSidecar(each));
  const ready = started.filter(isReady).length;
  const initReason = unfinished < 0 ? undefined : initText(pod, statuses[unfinished], unfinished);
  const general = initReason ?? generalReason(pod);
  if (initReason !== undefined && !isTrue(pod, 'Initialized')) {
    return { ready, reason: general, ...restartsOf(seen) };
  }
  const containers = memberList(status(pod), 'containerStatuses');
  return {
    ready: ready + containers.filter(isRunningAndReady).length,
    reason: reasonOf(pod, containers, general),
    ...restartsOf([...seen.filter(isOfSidecar), ...containers]),
  };
}

function generalReason(pod: KubernetesObject): string {
  const gated = 'SchedulingGated';
  const isGated = memberList(status(pod), 'conditions').some(
    (each) => memberText(each, 'type') === 'PodScheduled' && memberText(each, 'reason') === gated,
  );
  if (isGated) return gated;
  return memberText(status(pod), 'reason') || memberText(status(pod), 'phase');
}

/** The reason of the first container that has one; a pod with completed and running containers is running. */
function reasonOf(pod: KubernetesObject, containers: readonly unknown[], general: string): string {
  const reasons = containers.map(containerReason);
  const reason = reasons.find((each) => each !== undefined) ?? general;
  if (reason !== 'Completed') return reason;
  const hasRunning = containers.some(isRunningAndReady);
  if (hasRunning && isTrue(pod, 'Ready')) return 'Running';
  const failed = containers.findIndex(
    (each) => !isWaiting(each) && number(at(terminated(each), 'exitCode')) !== 0,
  );
  return reasons[failed] ?? (hasRunning ? 'NotReady' : reason);
}

function containerReason(container: unknown): string | undefined {
  if (isWaiting(container)) return text(at(container, 'state', 'waiting', 'reason'));
  return terminated(container) === undefined ? undefined : endText(container);
}

function isWaiting(container: unknown): boolean {
  return text(at(container, 'state', 'waiting', 'reason')) !== '';
}

function initText(pod: KubernetesObject, container: unknown, place: number): string {
  if (terminated(container) !== undefined) return `Init:${endText(container)}`;
  const waiting = text(at(container, 'state', 'waiting', 'reason'));
  if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${place}/${memberList(spec(pod), 'initContainers').length}`;
}

function endText(container: unknown): string {
  const end = terminated(container);
  const reason = memberText(end, 'reason');
  if (reason !== '') return reason;
  const signal = number(at(end, 'signal'));
  return signal === 0 ? `ExitCode:${number(at(end, 'exitCode'))}` : `Signal:${signal}`;
}

function isInitialized(container: unknown, isOfSidecar: boolean): boolean {
  const end = terminated(container);
  if (end !== undefined && number(at(end, 'exitCode')) === 0) return true;
  return isOfSidecar && at(container, 'started') === true;
}

function isRunningSidecar(container: unknown): boolean {
  const end = terminated(container);
  const isCompleted = end !== undefined && number(at(end, 'exitCode')) === 0;
  return !isCompleted && at(container, 'started') === true;
}

function restartsOf(containers: readonly unknown[]): Pick<PodSummary, 'restarts' | 'lastRestart'> {
  const restarts = containers.reduce<number>(
    (sum, each) => sum + number(at(each, 'restartCount')),
    0,
  );
  const ends = containers.map((each) => text(at(each, 'lastState', 'terminated', 'finishedAt')));
  return { restarts, lastRestart: ends.sort().at(-1) ?? '' };
}

function isSidecar(container: unknown): boolean {
  return memberText(container, 'restartPolicy') === 'Always';
}

function isReady(container: unknown): boolean {
  return at(container, 'ready') === true;
}

function isRunningAndReady(container: unknown): boolean {
  if (isWaiting(container) || terminated(container) !== undefined) return false;
  return isReady(container) && (at(container, 'state', 'running') ?? undefined) !== undefined;
}

function terminated(container: unknown): unknown {
  return at(container, 'state', 'terminated') ?? undefined;
}

/** Whether the first condition of a type is true. */
function isTrue(object: KubernetesObject, type: string): boolean {
  const found = memberList(member(object, 'status'), 'conditions').find(
    (each) => memberText(each, 'type') === type,
  );
  return memberText(found, 'status') === 'True';
}
