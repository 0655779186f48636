import { addressOf, deskAt, parseRoute, type DeskRoute, type Place, type Route, type Tab } from './route';

/** The route that the window shows, kept in step with the address bar. */
class Navigation {
  route: Route = $state.raw(parseRoute(location.pathname, location.search));
  /** How far back and forward the person can go within the UI. */
  depth = $state(0);
  top = $state(0);
  /** Rises whenever somebody goes to an address, be it the one where they are. Choosing an item is no going. */
  arrivals = $state(0);

  constructor() {
    addEventListener('popstate', (event) => {
      this.route = parseRoute(location.pathname, location.search);
      this.depth = depthIn(event.state);
      this.arrivals += 1;
    });
  }

  /** The place whose items stand in the middle; the last one stays while another screen is open. */
  get desk(): DeskRoute {
    return this.route.screen === 'desk' ? this.route : deskAt({ view: 'all' });
  }

  go(route: Route): void {
    this.arrivals += 1;
    if (addressOf(route) === location.pathname + location.search) {
      this.route = route;
      return;
    }
    this.depth += 1;
    this.top = this.depth;
    this.route = route;
    history.pushState({ depth: this.depth }, '', addressOf(route));
  }

  /** Changes the address without a step in the history: selection and tabs. */
  settle(route: Route): void {
    this.route = route;
    history.replaceState({ depth: this.depth }, '', addressOf(route));
  }

  openPlace(place: Place): void {
    this.go(deskAt(place));
  }

  select(item: number | null): void {
    const { place, tab } = this.desk;
    this.settle({ ...deskAt(place, item, item === null ? 'metadata' : tab) });
  }

  openTab(tab: Tab): void {
    this.settle({ ...this.desk, tab });
  }

  back(): void {
    history.back();
  }

  forward(): void {
    history.forward();
  }
}

function depthIn(state: unknown): number {
  return state && typeof state === 'object' && 'depth' in state ? Number(state.depth) : 0;
}

export const navigation = new Navigation();

/** For links: an ordinary click stays in the UI, every other one is the browser's. */
export function follow(event: MouseEvent, route: Route): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigation.go(route);
}
