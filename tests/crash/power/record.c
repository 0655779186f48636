/* Goes before the C library (LD_PRELOAD) and writes down, in order, what a program asks of the disk and when
 * it answers. Nothing is really synced: what a sync would have kept is for the reader of the record to say.
 *
 * POWER_RECORD names the record, POWER_ROOT the directory that is watched; without them syncs are left out
 * and nothing is written down. An entry is five numbers of 64 bits (kind, two numbers, two lengths) and two
 * texts of these lengths. Kinds: see record.rs. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FRAMES = 48 };
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static char root[PATH_MAX];
static uintptr_t base;

#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

static int first_object(struct dl_phdr_info *info, size_t size, void *into) {
    (void)size;
    *(uintptr_t *)into = info->dlpi_addr;
    return 1; /* The program itself comes first. */
}

__attribute__((constructor)) static void begin(void) {
    void *frame[2];
    backtrace(frame, 2); /* Loads what it needs now, and not while a turn is taken. */
    dl_iterate_phdr(first_object, &base);
    const char *path = getenv("POWER_RECORD"), *watched = getenv("POWER_ROOT");
    if (!path || !watched) return;
    snprintf(root, sizeof root, "%s", watched);
    record = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (record < 0) abort();
}

static void note(char kind, uint64_t one, uint64_t two, const void *first, size_t first_length,
                 const void *second, size_t second_length) {
    uint64_t head[5] = {(uint64_t)kind, one, two, first_length, second_length};
    struct iovec parts[3] = {{head, sizeof head}, {(void *)first, first_length}, {(void *)second, second_length}};
    int saved = errno;
    ssize_t wanted = (ssize_t)(sizeof head + first_length + second_length);
    REAL(writev);
    if (real(record, parts, 3) != wanted) abort(); /* A record with a gap would accuse the innocent. */
    errno = saved;
}

static int watched(const char *path) {
    size_t length = strlen(root);
    return record >= 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path from the top, of one that begins at an open directory. */
static const char *whole(int directory, const char *path, char *into) {
    if (path[0] == '/') return path;
    char above[PATH_MAX] = ".";
    if (directory == AT_FDCWD) {
        if (!getcwd(above, sizeof above)) return path;
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
        ssize_t length = readlink(link, above, sizeof above - 1);
        if (length < 0) return path;
        above[length] = 0;
    }
    if (snprintf(into, PATH_MAX, "%s/%s", above, path) >= PATH_MAX) abort();
    return into;
}

static int take_turn(void) { pthread_mutex_lock(&turn); return 1; }
#define IN_TURN(watching) int in_turn = (watching) && take_turn()
#define END_TURN() do { if (in_turn) pthread_mutex_unlock(&turn); } while (0)

static int kind_of(int file, struct stat *found) {
    int saved = errno, failed = record < 0 || fstat(file, found);
    errno = saved;
    return failed ? 0 : (int)(found->st_mode & S_IFMT);
}

/* Names. */

static int opened(int (*open_it)(int, const char *, int, mode_t), int directory, const char *path, int flags, mode_t mode) {
    char buffer[PATH_MAX];
    struct stat found;
    int changes = record >= 0 && (flags & (O_CREAT | O_TRUNC)) && (flags & O_TMPFILE) != O_TMPFILE;
    const char *absolute = changes ? whole(directory, path, buffer) : path;
    IN_TURN(changes && watched(absolute));
    int file = open_it(directory, path, flags, mode);
    if (in_turn && file >= 0 && kind_of(file, &found) == S_IFREG)
        note('O', found.st_ino, (flags & O_TRUNC) != 0, absolute, strlen(absolute), 0, 0);
    END_TURN();
    return file;
}

#define MODE(flags, last) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, last); mode = va_arg(rest, mode_t); va_end(rest); }

static int plain_open(int d, const char *p, int f, mode_t m) { (void)d; REAL(open); return real(p, f, m); }
static int plain_open64(int d, const char *p, int f, mode_t m) { (void)d; REAL(open64); return real(p, f, m); }
static int plain_openat(int d, const char *p, int f, mode_t m) { REAL(openat); return real(d, p, f, m); }
static int plain_openat64(int d, const char *p, int f, mode_t m) { REAL(openat64); return real(d, p, f, m); }
int open(const char *p, int f, ...) { MODE(f, f); return opened(plain_open, AT_FDCWD, p, f, mode); }
int open64(const char *p, int f, ...) { MODE(f, f); return opened(plain_open64, AT_FDCWD, p, f, mode); }
int openat(int d, const char *p, int f, ...) { MODE(f, f); return opened(plain_openat, d, p, f, mode); }
int openat64(int d, const char *p, int f, ...) { MODE(f, f); return opened(plain_openat64, d, p, f, mode); }

int mkdirat(int directory, const char *path, mode_t mode) {
    REAL(mkdirat);
    char buffer[PATH_MAX];
    struct stat found;
    const char *absolute = whole(directory, path, buffer);
    IN_TURN(watched(absolute));
    int result = real(directory, path, mode);
    if (in_turn && result == 0 && stat(absolute, &found) == 0)
        note('M', found.st_ino, 0, absolute, strlen(absolute), 0, 0);
    END_TURN();
    return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int directory, const char *path, int flags) {
    REAL(unlinkat);
    char buffer[PATH_MAX];
    const char *absolute = whole(directory, path, buffer);
    IN_TURN(watched(absolute));
    int result = real(directory, path, flags);
    if (in_turn && result == 0) note('U', 0, 0, absolute, strlen(absolute), 0, 0);
    END_TURN();
    return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int renameat2(int old, const char *from, int new, const char *to, unsigned flags) {
    REAL(renameat2);
    char buffers[2][PATH_MAX];
    const char *source = whole(old, from, buffers[0]), *target = whole(new, to, buffers[1]);
    IN_TURN(watched(source) || watched(target));
    if (in_turn && (flags & RENAME_EXCHANGE)) abort(); /* Nothing of ours does. */
    int result = real(old, from, new, to, flags);
    if (in_turn && result == 0) note('R', 0, 0, source, strlen(source), target, strlen(target));
    END_TURN();
    return result;
}
int renameat(int old, const char *from, int new, const char *to) { return renameat2(old, from, new, to, 0); }
int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

int linkat(int old, const char *from, int new, const char *to, int flags) {
    REAL(linkat);
    char buffers[2][PATH_MAX];
    const char *source = whole(old, from, buffers[0]), *target = whole(new, to, buffers[1]);
    IN_TURN(watched(target));
    int result = real(old, from, new, to, flags);
    if (in_turn && result == 0) note('L', 0, 0, source, strlen(source), target, strlen(target));
    END_TURN();
    return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int symlinkat(const char *content, int directory, const char *path) {
    REAL(symlinkat);
    char buffer[PATH_MAX];
    const char *absolute = whole(directory, path, buffer);
    IN_TURN(watched(absolute));
    int result = real(content, directory, path);
    if (in_turn && result == 0) note('S', 0, 0, content, strlen(content), absolute, strlen(absolute));
    END_TURN();
    return result;
}
int symlink(const char *content, const char *path) { return symlinkat(content, AT_FDCWD, path); }

/* Bytes. */

static void note_bytes(int file, const struct stat *found, off64_t offset, const struct iovec *parts, int count, size_t length) {
    (void)file;
    for (int at = 0; at < count && length > 0; at++) {
        size_t size = parts[at].iov_len < length ? parts[at].iov_len : length;
        note('W', found->st_ino, (uint64_t)offset, parts[at].iov_base, size, 0, 0);
        offset += (off64_t)size;
        length -= size;
    }
}

/* The port of the one who is being answered; 0 for standard output. */
static void note_answer(int file, int kind) {
    struct sockaddr_storage peer;
    socklen_t length = sizeof peer;
    if (kind != S_IFSOCK) {
        if (file == STDOUT_FILENO) note('A', 0, 0, 0, 0, 0, 0);
    } else if (getpeername(file, (struct sockaddr *)&peer, &length) == 0 && peer.ss_family == AF_INET) {
        note('A', ntohs(((struct sockaddr_in *)&peer)->sin_port), 0, 0, 0, 0, 0);
    }
}

static ssize_t wrote(ssize_t (*write_it)(int, const struct iovec *, int), int file, const struct iovec *parts, int count) {
    struct stat found;
    int kind = kind_of(file, &found);
    IN_TURN(kind != 0);
    /* Noted before it is sent: whoever has the answer finds it noted. */
    if (in_turn && kind != S_IFREG) note_answer(file, kind);
    ssize_t length = write_it(file, parts, count);
    if (in_turn && kind == S_IFREG && length > 0)
        note_bytes(file, &found, lseek64(file, 0, SEEK_CUR) - length, parts, count, (size_t)length);
    END_TURN();
    return length;
}

static ssize_t plain_write(int f, const struct iovec *p, int c) { (void)c; REAL(write); return real(f, p->iov_base, p->iov_len); }
static ssize_t plain_writev(int f, const struct iovec *p, int c) { REAL(writev); return real(f, p, c); }
ssize_t write(int file, const void *bytes, size_t length) {
    struct iovec part = {(void *)bytes, length};
    return wrote(plain_write, file, &part, 1);
}
ssize_t writev(int file, const struct iovec *parts, int count) { return wrote(plain_writev, file, parts, count); }

ssize_t pwrite64(int file, const void *bytes, size_t wanted, off64_t offset) {
    REAL(pwrite64);
    struct stat found;
    struct iovec part = {(void *)bytes, wanted};
    IN_TURN(kind_of(file, &found) == S_IFREG);
    ssize_t length = real(file, bytes, wanted, offset);
    if (in_turn && length > 0) note_bytes(file, &found, offset, &part, 1, (size_t)length);
    END_TURN();
    return length;
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) { return pwrite64(file, bytes, length, offset); }

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
    REAL(pwritev64);
    struct stat found;
    IN_TURN(kind_of(file, &found) == S_IFREG);
    ssize_t length = real(file, parts, count, offset);
    if (in_turn && length > 0) note_bytes(file, &found, offset, parts, count, (size_t)length);
    END_TURN();
    return length;
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) { return pwritev64(file, parts, count, offset); }

int ftruncate64(int file, off64_t length) {
    REAL(ftruncate64);
    struct stat found;
    IN_TURN(kind_of(file, &found) == S_IFREG);
    int result = real(file, length);
    if (in_turn && result == 0) note('T', found.st_ino, (uint64_t)length, 0, 0, 0, 0);
    END_TURN();
    return result;
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

/* Copying within the kernel is left to those who ask for it: they fall back to reading and writing. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
    REAL(copy_file_range);
    struct stat found;
    if (kind_of(out, &found) != S_IFREG) return real(in, from, out, to, length, flags);
    errno = ENOSYS;
    return -1;
}
ssize_t sendfile64(int out, int in, off64_t *from, size_t length) {
    REAL(sendfile64);
    struct stat found;
    int kind = kind_of(out, &found);
    if (kind == S_IFREG) {
        errno = EINVAL;
        return -1;
    }
    IN_TURN(kind == S_IFSOCK);
    if (in_turn) note_answer(out, kind);
    END_TURN();
    return real(out, in, from, length);
}

ssize_t send(int file, const void *bytes, size_t length, int flags) {
    REAL(send);
    IN_TURN(record >= 0);
    if (in_turn) note_answer(file, S_IFSOCK);
    END_TURN();
    return real(file, bytes, length, flags);
}

/* Threads. What one does is done for the one that began it. */

struct beginning {
    void *(*run)(void *);
    void *argument;
    void *frame[FRAMES];
    int count;
};
static __thread struct beginning *beginning;

static void *begun(void *own) {
    beginning = own; /* As long as the thread, and a few thousand bytes: nobody gives it back. */
    return beginning->run(beginning->argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    REAL(pthread_create);
    struct beginning *own = malloc(sizeof *own);
    if (!own) return EAGAIN;
    own->run = run;
    own->argument = argument;
    own->count = backtrace(own->frame, FRAMES);
    return real(thread, attributes, begun, own);
}

/* Syncs. They are told apart by where they come from: the addresses of those who called, innermost first. */

static int synced(char kind, int file) {
    struct stat found;
    void *frame[FRAMES];
    uint64_t from[2 * FRAMES];
    int of = kind_of(file, &found);
    if (of != S_IFREG && of != S_IFDIR) return 0;
    int count = backtrace(frame, FRAMES);
    for (int at = 0; at < count; at++) from[at] = (uintptr_t)frame[at] - base - 1;
    for (int at = 0; beginning && at < beginning->count; at++)
        from[count++] = (uintptr_t)beginning->frame[at] - base - 1;
    take_turn();
    note(kind, found.st_ino, 0, from, (size_t)count * sizeof *from, 0, 0);
    pthread_mutex_unlock(&turn);
    return 0;
}
int fsync(int file) { return synced('F', file); }
int fdatasync(int file) { return synced('F', file); }
int syncfs(int file) { return synced('Z', file); }
