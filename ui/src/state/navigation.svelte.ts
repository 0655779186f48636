import {
  addressOf,
  browseRoute,
  parseRoute,
  type BrowseRoute,
  type ListScope,
  type Route,
  type InspectorTab,
} from './route';
import type { ListSearch } from './search_address';

/** The current route, synchronised with the address bar. */
class Navigation {
  route: Route = $state.raw(parseRoute(location.pathname, location.search));
  /** Number of history entries of this UI before the current one. */
  depth = $state(0);
  maxDepth = $state(0);
  /** Counts navigations, those to the current address included. Selecting an item is none. */
  visits = $state(0);

  /** Asks before the page is left, with what to do then; null: nobody asks. */
  ask: ((proceed: () => void) => void) | null = null;

  constructor() {
    addEventListener('popstate', (event) => {
      if (this.stays(event.state)) return;
      this.route = parseRoute(location.pathname, location.search);
      this.depth = depthOf(event.state);
      this.visits += 1;
    });
  }

  /** The route of the item list; the latest one while another page is displayed. */
  get browse(): BrowseRoute {
    return this.route.screen === 'browse' ? this.route : browseRoute({ view: 'all' });
  }

  /** Whether a step of the history has to wait for an answer. The browser has taken it already, so it is taken back. */
  private stays(state: unknown): boolean {
    const by = depthOf(state) - this.depth;
    const { screen } = parseRoute(location.pathname, location.search);
    if (!this.ask || by === 0 || screen === this.route.screen) return false;
    history.go(-by);
    this.ask(() => {
      this.ask = null;
      history.go(by);
    });
    return true;
  }

  go(route: Route): void {
    if (this.ask && route.screen !== this.route.screen) {
      this.ask(() => {
        this.ask = null;
        this.go(route);
      });
      return;
    }
    this.visits += 1;
    this.push(route);
  }

  private push(route: Route): void {
    this.route = route;
    if (addressOf(route) === location.pathname + location.search) return;
    this.depth += 1;
    this.maxDepth = this.depth;
    history.pushState({ depth: this.depth }, '', addressOf(route));
  }

  /** Replaces the current history entry, such as for a selection or a tab. */
  replace(route: Route): void {
    this.route = route;
    history.replaceState({ depth: this.depth }, '', addressOf(route));
  }

  openScope(scope: ListScope): void {
    this.go(browseRoute(scope));
  }

  select(item: number | null): void {
    const { scope, tab, below, search, saved } = this.browse;
    this.replace({ ...browseRoute(scope, item, item === null ? 'metadata' : tab), below, search, saved });
  }

  /** Lists everything below the displayed collection, or its direct members only; null: only while searching. */
  showBelow(scope: ListScope, below: boolean | null): void {
    this.replace({ ...this.browse, scope, below });
  }

  /** Narrows the displayed list, as a step of the history or within the present one. */
  narrow(scope: ListScope, search: ListSearch, isStep: boolean): void {
    const route = { ...this.browse, scope, search };
    if (isStep) this.push(route);
    else this.replace(route);
  }

  openTab(tab: InspectorTab): void {
    this.replace({ ...this.browse, tab });
  }

  back(): void {
    history.back();
  }

  forward(): void {
    history.forward();
  }
}

function depthOf(state: unknown): number {
  return state && typeof state === 'object' && 'depth' in state ? Number(state.depth) : 0;
}

export const navigation = new Navigation();

/** Handler for links: an ordinary click navigates within the UI, any other is left to the browser. */
export function followLink(event: MouseEvent, route: Route): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigation.go(route);
}
