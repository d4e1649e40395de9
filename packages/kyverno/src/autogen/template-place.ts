/** How the template of pods lies in the objects of pod controllers. */
export type TemplatePlace = 'defaults' | 'cronjobs';

/** The paths of the template. */
export const templatePaths: Readonly<Record<TemplatePlace, string>> = {
  defaults: 'spec.template',
  cronjobs: 'spec.jobTemplate.spec.template',
};

/** An expression of CEL that was generated for a place of the template, in the words of the one that it was made of. */
export function asWritten(expression: string, place: TemplatePlace): string {
  return expression.replaceAll(
    new RegExp(
      `\\b(object|oldObject|Object)\\.${templatePaths[place].replaceAll('.', '\\.')}\\.(spec|metadata)\\b`,
      'g',
    ),
    '$1.$2',
  );
}
