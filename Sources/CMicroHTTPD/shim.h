/* libmicrohttpd's variadic calls, which Swift can't import, and the few socket calls whose
   constants differ between systems. */
#pragma once
#include <microhttpd.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/* Constants whose import into Swift depends on the library's version. */
static const enum MHD_Result cmhd_yes = MHD_YES, cmhd_no = MHD_NO;
static const enum MHD_ValueKind cmhd_headers = MHD_HEADER_KIND;
static const enum MHD_ValueKind cmhd_query = MHD_GET_ARGUMENT_KIND;

/// A listening TCP socket, or minus the errno of what failed.
static inline int cmhd_listen(const char *host, uint16_t port) {
    struct addrinfo hints, *found = NULL;
    memset(&hints, 0, sizeof hints);
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    if (getaddrinfo(host, NULL, &hints, &found) != 0 || !found) return -EADDRNOTAVAIL;
    int result = -EADDRNOTAVAIL;
    for (struct addrinfo *each = found; each; each = each->ai_next) {
        int handle = socket(each->ai_family, each->ai_socktype, each->ai_protocol), yes = 1;
        if (handle < 0) { result = -errno; continue; }
        fcntl(handle, F_SETFD, FD_CLOEXEC);
        setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (each->ai_family == AF_INET6)
            ((struct sockaddr_in6 *)(void *)each->ai_addr)->sin6_port = htons(port);
        else
            ((struct sockaddr_in *)(void *)each->ai_addr)->sin_port = htons(port);
        if (bind(handle, each->ai_addr, each->ai_addrlen) == 0 && listen(handle, 512) == 0) {
            result = handle;
            break;
        }
        result = -errno;
        close(handle);
    }
    freeaddrinfo(found);
    return result;
}

/// The port of a bound socket.
static inline uint16_t cmhd_port(int handle) {
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(handle, (struct sockaddr *)(void *)&address, &size) != 0) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)(void *)&address)->sin6_port
                                      : ((struct sockaddr_in *)(void *)&address)->sin_port);
}

/// Makes a handed-over socket ready for a loop: no blocking, no delay, no signals.
static inline void cmhd_prepare(int handle) {
    int yes = 1;
    fcntl(handle, F_SETFL, fcntl(handle, F_GETFL, 0) | O_NONBLOCK);
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(handle, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
#ifdef SO_NOSIGPIPE
    setsockopt(handle, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
}

/// Bytes sent; 0 where the socket is full; -1 where it is broken.
static inline ssize_t cmhd_send(int handle, const void *bytes, size_t count) {
#ifdef MSG_NOSIGNAL
    int flags = MSG_NOSIGNAL;
#else
    int flags = 0;
#endif
    for (;;) {
        ssize_t sent = send(handle, bytes, count, flags);
        if (sent >= 0) return sent;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
        if (errno != EINTR) return -1;
    }
}

/// Bytes read; 0 at the end; -1 where nothing is there; -2 where the socket is broken.
static inline ssize_t cmhd_receive(int handle, void *bytes, size_t count) {
    for (;;) {
        ssize_t got = recv(handle, bytes, count, 0);
        if (got >= 0) return got;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return -1;
        if (errno != EINTR) return -2;
    }
}

/// Ends our side of a socket.
static inline void cmhd_shutdown(int handle) { shutdown(handle, SHUT_WR); }

/// Starts a daemon on a listening socket with threads of its own; key and certificate are PEM,
/// or both NULL.
static inline struct MHD_Daemon *cmhd_start(
    int handle, MHD_AccessHandlerCallback access, void *context,
    MHD_RequestCompletedCallback completed, const char *key, const char *certificate) {
    unsigned flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_UPGRADE;
    if (key && certificate)
        return MHD_start_daemon(
            flags | MHD_USE_POLL | MHD_USE_TLS, 0, NULL, NULL, access, context,
            MHD_OPTION_LISTEN_SOCKET, handle, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
            MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)131072,
            MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_CONNECTION_LIMIT, 20000u,
            MHD_OPTION_HTTPS_MEM_KEY, key,
            MHD_OPTION_HTTPS_MEM_CERT, certificate, MHD_OPTION_END);
    return MHD_start_daemon(
        flags | MHD_USE_AUTO, 0, NULL, NULL, access, context, MHD_OPTION_LISTEN_SOCKET, handle,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)131072,
        MHD_OPTION_CONNECTION_TIMEOUT, 30u, MHD_OPTION_CONNECTION_LIMIT, 20000u,
        MHD_OPTION_END);
}

/// Gives an upgraded socket back, which closes it.
static inline void cmhd_close_upgraded(struct MHD_UpgradeResponseHandle *handle) {
    MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/// A response with a copy of the body.
static inline struct MHD_Response *cmhd_response(const void *body, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)(size_t)body, MHD_RESPMEM_MUST_COPY);
}
