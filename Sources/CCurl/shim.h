// epoll, eventfd and getrandom are not in the Glibc module of Swift.
#include <curl/curl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>

// Swift can't call variadic functions, and the type checks of curl's macros are lost with them:
// one function for each kind of argument keeps them.

static inline CURLcode realtime_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// A null value sets the option back to nothing.
static inline CURLcode realtime_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// Without it, giving up on a name lookup waits for the system's resolver.
static inline void realtime_curl_set_quick_exit(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    (void)curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
#endif
}

static inline CURLcode realtime_curl_get_socket(CURL *handle, curl_socket_t *socket) {
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, socket);
}

static inline CURLcode realtime_curl_get_connect_status(CURL *handle, long *status) {
    return curl_easy_getinfo(handle, CURLINFO_HTTP_CONNECTCODE, status);
}
