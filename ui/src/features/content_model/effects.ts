/** What a change of the content model does, in words. */
import type { ModelDefinition, ModelEffect } from '../../api/content_model';
import { bundleKey } from '../../state/model_settings';
import { t } from '../../texts';
import { shippedLabel } from '../../texts/shipped_labels';

/** Changes after which values cannot be seen or no longer keep the rules. */
const HIDING = ['field_removed', 'bundle_removed'];
const BREAKING = ['now_required', 'fewer_values', 'fewer_targets', 'fewer_choices', 'shorter'];

/** What an effect means for what people have entered. */
export type Weight = 'hides' | 'breaks' | 'none';

export function weightOf({ change, resources }: ModelEffect): Weight {
  if (!resources) return 'none';
  if (HIDING.includes(change)) return 'hides';
  return BREAKING.includes(change) ? 'breaks' : 'none';
}

/** A sentence. Labels come from the new model, those of what was removed from the former one. */
export function effectText(effect: ModelEffect, after: ModelDefinition, before: ModelDefinition): string {
  const { change, kind, bundle, field, resources } = effect;
  const found = (model: ModelDefinition) =>
    model.bundles.find((one) => bundleKey(one) === `${kind}.${bundle}`);
  const [now, former] = [found(after), found(before)];
  const label = shippedLabel((now ?? former)?.label ?? bundle);
  const fields = [now, former].flatMap((one) => [...(one?.fields ?? []), ...(one?.removed_fields ?? [])]);
  const fieldLabel = shippedLabel(fields.find(({ name }) => name === field)?.label ?? field ?? '');
  const words = t.contentModel.effects[change];
  return words
    ? words(fieldLabel, label, t.contentModel.resources[kind](resources ?? 0), resources ?? 0)
    : change;
}
