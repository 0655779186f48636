import { allFacets, byRole, rolesOf } from '../../state/facets';
import { relatorChoice } from './relator_choice.svelte';

/** The names of all facets that the panel shows. */
export function countedFacets(): string[] {
  return allFacets().flatMap((facet) =>
    facet.hasRoles ? [byRole(facet, relatorChoice.of(facet)), rolesOf(facet)] : [facet.name],
  );
}
