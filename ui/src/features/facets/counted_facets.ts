import { allFacets, byRole, rolesOf } from '../../state/facets';
import { shownRole } from './shown_role.svelte';

/** The names of all facets that the panel shows. */
export function countedFacets(): string[] {
  return allFacets().flatMap((facet) =>
    facet.hasRoles ? [byRole(facet, shownRole.of(facet)), rolesOf(facet)] : [facet.name],
  );
}
