import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { metadataOf, nameOf } from '../objects/metadata.ts';
import { type Column, textColumn } from './columns.ts';

export const nameColumn: Column = {
  ...textColumn('Name', nameOf),
  format: 'name',
};
export const ageColumn: Column = textColumn('Age', (object, now) =>
  ageOf(metadataOf(object).creationTimestamp, now),
);
/** The column of the times of creation. */
export const createdColumn: Column = {
  ...textColumn('Created At', (object) => metadataOf(object).creationTimestamp ?? '<unknown>'),
  type: 'date',
};

export const spec = (object: KubernetesObject): unknown => member(object, 'spec');
/** Returns the status. */
export const status = (object: KubernetesObject): unknown => member(object, 'status');

/** How many a list or map has. */
export function count(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** A value as text. */
export function text(value: unknown, missing = ''): string {
  return value === undefined || value === null ? missing : String(value);
}

/** A value as a number, 0 where there is none. */
export function number(value: unknown): number {
  return Number(value ?? 0);
}

/** A selector or map of labels as kubectl shows it. */
function selectorText(selector: unknown): string {
  const labels = Object.entries((at(selector, 'matchLabels') ?? selector ?? {}) as object)
    .filter(([, value]) => typeof value === 'string')
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${key}=${String(value)}`);
  return labels.length === 0 ? '<none>' : labels.join(',');
}

/** The containers of the template at a path. */
export function containersAt(path: string): readonly Column[] {
  const members = [...path.split('.'), 'spec'];
  const cell =
    (name: string) =>
    (object: KubernetesObject): string =>
      memberList(at(object, ...members), 'containers')
        .map((container) => text(at(container, name)))
        .join(',');
  return [textColumn('Containers', cell('name'), wide), textColumn('Images', cell('image'), wide)];
}

/** A column of whole numbers. */
export const integer = { type: 'integer' } as const;
/** A column of wide tables only. */
export const wide = { priority: 1 } as const;

type ColumnOptions = NonNullable<Parameters<typeof textColumn>[2]>;

/** A column of the value at a path such as `status.phase`, as text. */
export function textAt(
  name: string,
  path: string,
  { missing, ...options }: ColumnOptions & { readonly missing?: string } = {},
): Column {
  const members = path.split('.');
  return textColumn(name, (object) => text(at(object, ...members), missing), options);
}

/** A column of the number at a path, 0 where there is none. */
export function numberAt(name: string, path: string, options?: ColumnOptions): Column {
  const members = path.split('.');
  return textColumn(name, (object) => number(at(object, ...members)), options);
}

/** A column with the number of elements of the list or map at a path. */
export function countAt(name: string, path: string, options?: ColumnOptions): Column {
  const members = path.split('.');
  return textColumn(name, (object) => count(at(object, ...members)), options);
}

/** A column that shows whether the value at a path is true. */
export function flagAt(name: string, path: string): Column {
  const members = path.split('.');
  return textColumn(name, (object) => at(object, ...members) === true, { type: 'boolean' });
}

export function selectorAt(name: string, path: string, options?: ColumnOptions): Column {
  const members = path.split('.');
  return textColumn(name, (object) => selectorText(at(object, ...members)), options);
}

export const containerColumns: readonly Column[] = containersAt('spec.template');
/** The selector of a workload. */
export const selectorColumn: Column = selectorAt('Selector', 'spec.selector', wide);

/** A duration as kubectl shows it in the column of ages (apimachinery duration.HumanDuration). */
function humanDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60 * 2) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 60 * 3) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return withRest(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

function withRest(count: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${restUnit}`;
}

/** The age of a time of an object. */
export function ageOf(time: unknown, now: number): string {
  if (typeof time !== 'string' || time === '') return '<unknown>';
  return humanDuration(now - Date.parse(time));
}
