import type { ModelDefinition } from '../../api/content_model';
import type { Violation } from '../../api/errors';
import { shippedLabel } from '../../texts/shipped_labels';

/** What is wrong, after the labels of the type and the field where it is: `Subject (Repository Item): …`. */
export function violationText({ field, message }: Violation, model: ModelDefinition | null): string {
  const [kind, id, name] = (field ?? '').split('.');
  const bundle = model?.bundles.find((one) => one.kind === kind && one.id === id);
  if (!bundle) return field ? `${field}: ${message}` : message;
  const found = bundle.fields.find((one) => one.name === name);
  const label = shippedLabel(bundle.label);
  return found ? `${shippedLabel(found.label)} (${label}): ${message}` : `${label}: ${message}`;
}
